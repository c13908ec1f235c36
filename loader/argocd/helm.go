package argocd

import (
	"cmp"
	"path"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
)

// local returns the unit of a chart that is in the tree.
func (so *sources) local(app application, source *loader.Value, dir string, c *deploy.Cluster) ([]deploy.Unit, error) {
	r := so.helm(app, source)
	r.Dir = dir
	if !(helmValues{so, app, source, r}).merge(c) {
		return nil, nil
	}
	makes := false
	if len(r.Unknown) > 0 {
		var err error
		if makes, err = so.argocd.makesApplications(so.view, dir); err != nil {
			return nil, err
		}
	}
	so.hedge(app, source, r, c, makes)
	return []deploy.Unit{{Dir: dir, Release: r}}, nil
}

// remote returns the unit of a chart in a registry.
func (so *sources) remote(app application, source *loader.Value, c *deploy.Cluster) ([]deploy.Unit, error) {
	r := so.helm(app, source)
	url := strings.TrimPrefix(source.Str("repoURL"), "oci://")
	r.Remote.RemoteChart = loader.RemoteChart{Repository: source.Str("repoURL"), Name: path.Base(cmp.Or(source.Str("chart"), strings.TrimSuffix(url, "/"))), Version: source.Str("targetRevision")}
	if v := source.Get("targetRevision"); v != nil {
		r.Remote.At = app.object.Position(v)
	}
	if !(helmValues{so, app, source, r}).merge(c) {
		return nil, nil
	}
	if r.IsAppTemplate() || so.argocd.charts.Folder != nil {
		so.hedge(app, source, r, c, false)
	}
	return []deploy.Unit{{Dir: app.object.First().File, Release: r}}, nil
}

// hedge reports which values are not known, and that Applications are not known with them if the chart makes some.
func (so *sources) hedge(app application, source *loader.Value, r *deploy.Release, c *deploy.Cluster, makes bool) {
	for _, why := range r.Unknown {
		code, message := "helm-values", "the values of "+app.spoken()+" are not known in full: "+why
		var roots []string
		if makes {
			roots = []string{r.Dir}
			code, message = loader.UnresolvedSet, message+"; which Applications its chart makes is unknown"
		}
		app.lose(c, source.Get("helm"), deploy.Complain(code, message, "correct the helm options of the source"), loader.Warning, roots...)
	}
}

// helm reads the options of a Helm source (reposerver/repository/repository.go,
// helmTemplate).
func (so *sources) helm(app application, source *loader.Value) *deploy.Release {
	options := source.Get("helm")
	return &deploy.Release{
		Name:      cmp.Or(options.Str("releaseName"), app.object.ID.Name),
		Namespace: cmp.Or(options.Str("namespace"), app.namespace()),
		ID:        app.object.ID, At: app.object.Position(source), Inputs: app.object.Inputs,
		Crds: !options.Get("skipCrds").IsTrue(),
	}
}
