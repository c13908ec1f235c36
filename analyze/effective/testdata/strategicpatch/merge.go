// Copyright Envoy Gateway Authors
// SPDX-License-Identifier: Apache-2.0
// The full text of the Apache license is available at
// https://www.apache.org/licenses/LICENSE-2.0.
//
// Merge and mergeInternal are internal/utils/merge.go of Envoy Gateway v1.9.1, verbatim but for the error texts; the
// types and limits below follow internal/ir/xds.go and internal/gatewayapi/backendtrafficpolicy.go, cut down to what
// the merge of rate limits rests on. Changed from the original as said here.

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	egv1a1 "github.com/envoyproxy/gateway/api/v1alpha1"
	jsonpatch "github.com/evanphx/json-patch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

func mergeInternal[T any](original T, patchJSON []byte, mergeType egv1a1.MergeType) (T, error) {
	var (
		patchedJSON  []byte
		originalJSON []byte
		err          error
		empty        T
	)

	originalJSON, err = json.Marshal(original)
	if err != nil {
		return empty, err
	}
	switch mergeType {
	case egv1a1.StrategicMerge:
		patchedJSON, err = strategicpatch.StrategicMergePatch(originalJSON, patchJSON, empty)
		if err != nil {
			return empty, err
		}
	case egv1a1.JSONMerge:
		patchedJSON, err = jsonpatch.MergePatch(originalJSON, patchJSON)
		if err != nil {
			return empty, err
		}
	default:
		return empty, fmt.Errorf("unsupported merge type: %v", mergeType)
	}

	res := new(T)
	if err = json.Unmarshal(patchedJSON, res); err != nil {
		return empty, err
	}

	return *res, nil
}

// Merge lays patch over original.
func Merge[T any](original, patch T, mergeType egv1a1.MergeType) (T, error) {
	patchJSON, err := json.Marshal(patch)
	if err != nil {
		var empty T
		return empty, err
	}
	return mergeInternal(original, patchJSON, mergeType)
}

type irRateLimit struct {
	Global *irGlobalRateLimit `json:"global,omitempty"`
	Local  *irLocalRateLimit  `json:"local,omitempty"`
}

type irGlobalRateLimit struct {
	Rules []*irRule `json:"rules,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
}

type irLocalRateLimit struct {
	Default                 irValue                         `json:"default,omitempty"`
	Rules                   []*irRule                       `json:"rules,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
	DefaultXRateLimitOption *egv1a1.XRateLimitHeadersOption `json:"defaultXRateLimitOption,omitempty"`
}

type irValue struct {
	Requests uint32 `json:"requests"`
	Unit     string `json:"unit"`
}

type irRule struct {
	Limit irValue `json:"limit,omitempty"`
	Name  string  `json:"name,omitempty"`
}

// buildRateLimit is buildRateLimit, buildLocalRateLimit and buildGlobalRateLimit; owner stands for namespace and name.
func buildRateLimit(spec *egv1a1.RateLimitSpec, owner string) (*irRateLimit, error) {
	local, global := spec.Local, spec.Global
	if spec.Type != nil {
		if *spec.Type == egv1a1.GlobalRateLimitType {
			local = nil
		} else {
			global = nil
		}
		if local == nil && global == nil {
			return nil, errors.New("configuration empty for rateLimit")
		}
	}
	out := &irRateLimit{}
	if local != nil {
		var bucket *irValue
		out.Local = &irLocalRateLimit{}
		for i, rule := range local.Rules {
			value := irValue{Requests: uint32(rule.Limit.Requests), Unit: string(rule.Limit.Unit)}
			if len(rule.ClientSelectors) > 0 {
				out.Local.Rules = append(out.Local.Rules, &irRule{Limit: value, Name: fmt.Sprintf("%s/%d", owner, i)})
				continue
			}
			if bucket != nil {
				return nil, errors.New("local rateLimit can not have more than one rule without clientSelectors")
			}
			bucket, out.Local.DefaultXRateLimitOption = &value, rule.XRateLimitHeaders
		}
		if bucket == nil {
			bucket = &irValue{Requests: math.MaxUint32, Unit: "Second"}
		}
		out.Local.Default = *bucket
	}
	if global != nil {
		out.Global = &irGlobalRateLimit{}
		for i, rule := range global.Rules {
			value := irValue{Requests: uint32(rule.Limit.Requests), Unit: string(rule.Limit.Unit)}
			out.Global.Rules = append(out.Global.Rules, &irRule{Limit: value, Name: fmt.Sprintf("%s/%d", owner, i)})
		}
	}
	return out, nil
}

// limits is what translateBackendTrafficPolicyForRouteWithMerge makes of the rate limits where both policies have some.
func limits(parent, child *egv1a1.BackendTrafficPolicy, mergeType egv1a1.MergeType) (*irRateLimit, error) {
	if parent.Spec.RateLimit == nil || child.Spec.RateLimit == nil {
		return nil, nil
	}
	above, err := buildRateLimit(parent.Spec.RateLimit, "parent")
	if err != nil {
		return nil, err
	}
	own, err := buildRateLimit(child.Spec.RateLimit, "child")
	if err != nil {
		return nil, err
	}
	return Merge(above, own, mergeType)
}
