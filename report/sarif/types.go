package sarif

// The types of SARIF 2.1.0 (OASIS), as far as gwplan writes them. An array that the schema or
// GitHub requires has no omitempty: the upload rejects `null` and a missing array
// (kube-linter#213).

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool              sarifTool                    `json:"tool"`
	AutomationDetails sarifAutomation              `json:"automationDetails"`
	ColumnKind        string                       `json:"columnKind"`
	URIBases          map[string]sarifArtifactBase `json:"originalUriBaseIds"`
	Provenance        []sarifProvenance            `json:"versionControlProvenance,omitempty"`
	Invocations       []sarifInvocation            `json:"invocations"`
	Results           []sarifResult                `json:"results"`
	Properties        map[string]any               `json:"properties,omitempty"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name            string      `json:"name"`
	Version         string      `json:"version,omitempty"`
	InformationURI  string      `json:"informationUri"`
	SemanticVersion string      `json:"semanticVersion,omitempty"`
	Rules           []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID                   string         `json:"id"`
	ShortDescription     sarifText      `json:"shortDescription"`
	FullDescription      sarifText      `json:"fullDescription"`
	Help                 sarifHelp      `json:"help"`
	HelpURI              string         `json:"helpUri,omitempty"`
	DefaultConfiguration sarifConfig    `json:"defaultConfiguration"`
	Properties           map[string]any `json:"properties"`
}

type sarifText struct {
	Text string `json:"text"`
}

// sarifHelp is a text that GitHub shows beside a finding, as Markdown where it can.
type sarifHelp struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown"`
}

type sarifConfig struct {
	Level string `json:"level"`
}

type sarifAutomation struct {
	ID string `json:"id"`
}

type sarifArtifactBase struct {
	Description sarifText `json:"description"`
}

type sarifProvenance struct {
	RepositoryURI string        `json:"repositoryUri"`
	RevisionID    string        `json:"revisionId"`
	MappedTo      sarifArtifact `json:"mappedTo"`
}

type sarifArtifact struct {
	URI       string `json:"uri,omitempty"`
	URIBaseID string `json:"uriBaseId,omitempty"`
}

type sarifInvocation struct {
	ExecutionSuccessful bool                `json:"executionSuccessful"`
	Notifications       []sarifNotification `json:"toolExecutionNotifications"`
}

type sarifNotification struct {
	Level      string           `json:"level"`
	Message    sarifText        `json:"message"`
	Descriptor *sarifDescriptor `json:"descriptor,omitempty"`
	Locations  []sarifLocation  `json:"locations,omitempty"`
	Properties map[string]any   `json:"properties,omitempty"`
}

type sarifDescriptor struct {
	ID string `json:"id"`
}

type sarifResult struct {
	RuleID           string             `json:"ruleId"`
	RuleIndex        int                `json:"ruleIndex"`
	Level            string             `json:"level"`
	Message          sarifText          `json:"message"`
	Locations        []sarifLocation    `json:"locations"`
	RelatedLocations []sarifLocation    `json:"relatedLocations,omitempty"`
	Suppressions     []sarifSuppression `json:"suppressions,omitempty"`
	Fingerprints     map[string]string  `json:"partialFingerprints,omitempty"`
	Properties       map[string]any     `json:"properties,omitempty"`
}

// sarifSuppression says that a result is accepted: inSource by an annotation, external by anything else.
type sarifSuppression struct {
	Kind          string         `json:"kind"`
	Justification string         `json:"justification,omitempty"`
	Location      *sarifLocation `json:"location,omitempty"`
}

type sarifLocation struct {
	ID               int            `json:"id,omitempty"`
	PhysicalLocation *sarifPhysical `json:"physicalLocation,omitempty"`
	LogicalLocations []sarifLogical `json:"logicalLocations,omitempty"`
	Message          *sarifText     `json:"message,omitempty"`
}

type sarifPhysical struct {
	ArtifactLocation sarifArtifact `json:"artifactLocation"`
	Region           *sarifRegion  `json:"region,omitempty"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	EndLine     int `json:"endLine"`
	StartColumn int `json:"startColumn,omitempty"`
}

type sarifLogical struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
	Kind               string `json:"kind"`
}
