package judge

// RemoveTimes removes the times of conditions from a status, which are those of the run and not of the world.
func RemoveTimes(status any) {
	switch status := status.(type) {
	case map[string]any:
		delete(status, "lastTransitionTime")
		for _, v := range status {
			RemoveTimes(v)
		}
	case []any:
		for _, v := range status {
			RemoveTimes(v)
		}
	}
}
