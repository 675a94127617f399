{{/* What an upgrade from TopoLVM's chart needs until our pods are there. */}}

{{/* TopoLVM's lvmd, as long as a node may still have TopoLVM's node service, which ends without it: the DaemonSet as it
is, or nothing. */}}
{{- define "topolvm.formerLvmd" -}}
{{- $name := include "topolvm.fullname" . -}}
{{- $lvmd := lookup "apps/v1" "DaemonSet" .Release.Namespace (printf "%s-lvmd-0" $name) -}}
{{- $agents := lookup "apps/v1" "DaemonSet" .Release.Namespace (printf "%s-node" $name) -}}
{{- if and $lvmd $agents -}}
{{- $release := dig "metadata" "annotations" "meta.helm.sh/release-name" "" $lvmd -}}
{{- if and (eq $release .Release.Name) (not (include "topolvm.areAgents" $agents)) -}}
{{- $metadata := dict "name" $lvmd.metadata.name "namespace" .Release.Namespace "labels" $lvmd.metadata.labels -}}
{{- dict "apiVersion" "apps/v1" "kind" "DaemonSet" "metadata" $metadata "spec" $lvmd.spec | toYaml -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Whether each pod of a DaemonSet is an agent of ours, and ready: true or nothing. */}}
{{- define "topolvm.areAgents" -}}
{{- $status := .status | default dict -}}
{{- $wanted := dig "desiredNumberScheduled" 0 $status | int64 -}}
{{- if and (include "topolvm.isAgent" .)
  (eq (int64 .metadata.generation) (dig "observedGeneration" 0 $status | int64))
  (eq $wanted (dig "updatedNumberScheduled" 0 $status | int64))
  (eq $wanted (dig "numberReady" 0 $status | int64)) -}}
true
{{- end -}}
{{- end -}}

{{- define "topolvm.isAgent" -}}
{{- if has "--own-sidecars" ((first .spec.template.spec.containers).command | default list) }}true{{ end -}}
{{- end -}}

{{/* How an agent's pods are replaced, of (dict root name first strategy). TopoLVM's node service leaves the nodes of a
further lvmd.yaml at once, so their agents come at once, too. */}}
{{- define "topolvm.agentStrategy" -}}
{{- $strategy := .strategy -}}
{{- if and (not $strategy) (not .first) -}}
{{- with lookup "apps/v1" "DaemonSet" .root.Release.Namespace .name -}}
{{- if not (include "topolvm.isAgent" .) -}}
{{- $strategy = dict "type" "RollingUpdate" "rollingUpdate" (dict "maxUnavailable" "100%") -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml ($strategy | default dict) -}}
{{- end -}}

{{/* How the controller's pods are replaced, unless users say it. Two of them share no node, so where there is no third
node, one has to go before another one comes; and where not all are available, such as on a single node, the one that
is available has to go. Helm waits for as many as may not be missing. */}}
{{- define "topolvm.controllerStrategy" -}}
{{- $name := printf "%s-controller" (include "topolvm.fullname" .) -}}
{{- $present := lookup "apps/v1" "Deployment" .Release.Namespace $name -}}
{{- $oneByOne := false -}}
{{- if $present -}}
{{- $wanted := kindIs "invalid" .Values.controller.replicaCount | ternary 1 .Values.controller.replicaCount -}}
{{- $oneByOne = ge (dig "status" "availableReplicas" 0 $present | int64) (int64 $wanted) -}}
{{- else if lookup "v1" "Service" "default" "kubernetes" -}}
{{- $oneByOne = true -}}
{{- end -}}
{{- dict "type" "RollingUpdate" "rollingUpdate" (dict "maxUnavailable" (ternary 1 "100%" $oneByOne)) | toYaml -}}
{{- end -}}
