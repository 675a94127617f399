{{/* LVMS's side is the manifests of deploy, as they are: these put in the release's namespace, labels and values. */}}

{{/* Objects of the files of (list root path...). */}}
{{- define "lvms.manifests" -}}
{{- $root := first . -}}
{{- range $path := rest . -}}
{{- $text := $root.Files.Get (printf "manifests/%s" $path) -}}
{{- if not $text -}}
{{- fail (printf "the chart lacks manifests/%s; build it by ./build.sh chart" $path) -}}
{{- end -}}
{{- range regexSplit "(?m)^---$" ($text | replace "lvms-system" $root.Release.Namespace) -1 }}
---
{{- $object := fromYaml . -}}
{{- if or (eq $object.kind "CustomResourceDefinition") (hasPrefix "ValidatingAdmissionPolicy" $object.kind) }}
{{ include "lvms.kept" (list $root $object) }}
{{- else if eq $object.kind "Deployment" }}
{{ include "lvms.withValues" (list $root $object) }}
{{- else if and (hasSuffix "WebhookConfiguration" $object.kind) $root.Values.lvms.admission.certManager }}
{{- $authority := printf "%s/lvms-webhook" $root.Release.Namespace }}
{{- $_ := set $object.metadata "annotations" (dict "cert-manager.io/inject-ca-from" $authority) }}
{{ include "lvms.labelled" (list $root $object) }}
{{- else }}
{{ include "lvms.labelled" (list $root $object) }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "lvms.labelled" -}}
{{- $root := first . -}}
{{- $object := last . -}}
{{- $labels := include "lvms.chartLabels" $root | fromYaml -}}
{{- $_ := set $object.metadata "labels" (merge (dict) ($object.metadata.labels | default dict) $labels) -}}
{{- toYaml $object -}}
{{- end -}}

{{/* What stays when the release goes: a type, since with it would go its objects, and with those the data; and a
policy, since an uninstallation that the policies refuse would delete them, and the next one would not be refused. */}}
{{- define "lvms.kept" -}}
{{- $root := first . -}}
{{- $object := last . -}}
{{- $users := dict -}}
{{- if eq $object.kind "CustomResourceDefinition" -}}
{{- $users = $root.Values.crd.annotations | default dict -}}
{{- end -}}
{{- $annotations := mergeOverwrite (dict) ($object.metadata.annotations | default dict) $users
  (dict "helm.sh/resource-policy" "keep") -}}
{{- $_ := set $object.metadata "annotations" $annotations -}}
{{- include "lvms.labelled" (list $root $object) -}}
{{- end -}}

{{/* The operator's Deployment. */}}
{{- define "lvms.withValues" -}}
{{- $root := first . -}}
{{- $object := last . -}}
{{- $operator := $root.Values.lvms.operator -}}
{{- $template := $object.spec.template -}}
{{- $pod := $template.spec -}}
{{- $container := first $pod.containers -}}
{{- $_ := set $object.spec "replicas" $operator.replicaCount -}}
{{- $_ := set $template.metadata "labels" (merge $template.metadata.labels ($operator.podLabels | default dict)) -}}
{{- $annotations := mergeOverwrite $template.metadata.annotations ($operator.podAnnotations | default dict) -}}
{{- $_ := set $template.metadata "annotations" $annotations -}}
{{- $_ := set $pod "priorityClassName" $operator.priorityClassName -}}
{{- $_ := set $pod "nodeSelector" (mergeOverwrite $pod.nodeSelector ($operator.nodeSelector | default dict)) -}}
{{- $_ := set $pod "tolerations" (concat $pod.tolerations ($operator.tolerations | default list)) -}}
{{- with $root.Values.image.pullSecrets -}}{{- $_ := set $pod "imagePullSecrets" . -}}{{- end -}}
{{- $_ := set $container "image" (include "lvms.image" $root) -}}
{{- with $root.Values.image.pullPolicy -}}{{- $_ := set $container "imagePullPolicy" . -}}{{- end -}}
{{- $own := list -}}
{{- if $root.Values.crossNamespaceVolumeDataSource.enabled -}}
{{- $own = append $own "--cross-namespace-volume-data-source" -}}
{{- end -}}
{{- if $root.Values.startupTaint.enabled -}}
{{- $own = append $own (printf "--startup-taint=%s" $root.Values.startupTaint.key) -}}
{{- $_ := set $pod "tolerations"
  (concat $pod.tolerations (include "lvms.startupToleration" $root | fromYamlArray) | uniq) -}}
{{- end -}}
{{- with $root.Values.disposableAfter -}}
{{- $own = append $own (printf "--disposable-after=%s" .) -}}
{{- end -}}
{{- if $root.Values.lvms.nativestor.enabled -}}
{{- $own = append $own "--nativestor" -}}
{{- if $root.Values.lvms.nativestor.rawDevices -}}{{- $own = append $own "--raw-devices" -}}{{- end -}}
{{- end -}}
{{- if $root.Values.lvms.userDeviceClasses -}}
{{- $own = append $own "--vgmanager-user-device-classes=lvms-user-device-classes" -}}
{{- end -}}
{{- $_ := set $container "args" (concat $container.args $own ($operator.args | default list)) -}}
{{- $_ := set $container "resources" $operator.resources -}}
{{- include "lvms.labelled" (list $root $object) -}}
{{- end -}}

{{/* The list of what pods of ours tolerate so that a new Node can lose its taint. */}}
{{- define "lvms.startupToleration" -}}
{{- $all := list -}}
{{- with .Values.startupTaint -}}
{{- if .enabled -}}{{- $all = append $all (dict "key" .key "operator" "Exists") -}}{{- end -}}
{{- end -}}
{{- toYaml $all -}}
{{- end -}}
