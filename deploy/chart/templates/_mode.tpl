{{/* Which side is installed. Each template asks this first, so what is refused is refused before anything else of the
values is read. */}}

{{- define "lvms.mode" -}}
{{- if not (hasKey .Values "_begun") -}}
{{- $_ := set .Values "_begun" true -}}
{{- include "lvms.fill" (list .Values (.Files.Get "defaults.yaml" | fromYaml) "") -}}
{{- include "lvms.refusals" . -}}
{{- end -}}
{{- .Values.mode | default "topolvm" -}}
{{- end -}}

{{/* Gives values the sections that they lack, from the chart's own: --reuse-values knows only those of the former
chart, and null takes one away. What users write as a whole is not filled. Of (list values defaults path). */}}
{{- define "lvms.fill" -}}
{{- $values := index . 0 -}}
{{- $path := index . 2 -}}
{{- $wholes := list ".lvmd.metrics.annotations" ".lvmd.securityContext" ".lvms.operator.resources"
  ".node.metrics.annotations" ".node.securityContext" ".scheduler.affinity" ".securityContext" -}}
{{- range $key, $default := index . 1 -}}
{{- $here := printf "%s.%s" $path $key -}}
{{- if and (kindIs "map" $default) (not (has $here $wholes)) -}}
{{- if kindIs "map" (index $values $key) -}}
{{- include "lvms.fill" (list (index $values $key) $default $here) -}}
{{- else -}}
{{- $_ := set $values $key (deepCopy $default) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* What keeps the values from being installed: a value that this chart cannot honour is ignored, with a line after the
installation, unless ignoring it would change data or the access to them. */}}
{{- define "lvms.refusals" -}}
{{- $mode := .Values.mode | default "topolvm" -}}
{{- if not (has $mode (list "topolvm" "lvms")) -}}
{{- fail (printf "mode: %s is not known; it is topolvm or lvms" $mode) -}}
{{- end -}}
{{- include "lvms.refuseImage" . -}}
{{- if dig "enabled" false (get .Values "cert-manager" | default dict) -}}
{{- fail "cert-manager.enabled: this chart does not bring cert-manager, and an upgrade would remove the one that this release installed; install cert-manager as a release of its own and set cert-manager.enabled to false" -}}
{{- end -}}
{{- include "lvms.refuseOtherMode" . -}}
{{- if eq $mode "topolvm" -}}
{{- if and (include "topolvm.embedded" .) (not .Values.lvmd.deviceClasses) -}}
{{- fail "lvmd.deviceClasses: is empty; at least one class is needed" -}}
{{- end -}}
{{- $webhook := .Values.webhook -}}
{{- if and $webhook.podMutatingWebhook.enabled $webhook.caBundle
  (not $webhook.certManager) (not $webhook.secretName) -}}
{{- fail "webhook.caBundle: is the authority of a certificate that you made; name the Secret of that certificate by webhook.secretName" -}}
{{- end -}}
{{- end -}}
{{- $driver := include "topolvm.driver" . -}}
{{- $other := ternary "topolvm.io" "topolvm.cybozu.com" (eq $driver "topolvm.cybozu.com") -}}
{{- if lookup "apiextensions.k8s.io/v1" "CustomResourceDefinition" "" (printf "logicalvolumes.%s" $other) -}}
{{- with (lookup (printf "%s/v1" $other) "LogicalVolume" "" "").items -}}
{{- fail (printf "useLegacy: %t serves %s, but the cluster has %d LogicalVolumes of %s, whose volumes no pod could use; keep useLegacy as it was, or convert them first" (eq $driver "topolvm.cybozu.com") $driver (len .) $other) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "lvms.refuseImage" -}}
{{- $image := .Values.image -}}
{{- if regexMatch "(^|/)topolvm(-with-sidecar)?$" ($image.repository | default "") -}}
{{- fail (printf "image.repository: %s has TopoLVM's programs, which lack what this chart starts; remove image.repository and image.reference, or name an image of lvms. Do not use --reuse-values, which takes the former chart's image for yours" $image.repository) -}}
{{- end -}}
{{- if and $image.reference (not $image.repository) -}}
{{- fail (printf "image.reference: %v is of no image without image.repository; a tag of TopoLVM's image has to go, a tag of lvms needs both" $image.reference) -}}
{{- end -}}
{{- end -}}

{{/* An upgrade that forgets to say mode would delete one side and install the other. */}}
{{- define "lvms.refuseOtherMode" -}}
{{- $mode := .Values.mode | default "topolvm" -}}
{{- range (lookup "apps/v1" "Deployment" .Release.Namespace "").items -}}
{{- if eq (dig "metadata" "annotations" "meta.helm.sh/release-name" "" .) $.Release.Name -}}
{{- $present := ternary "lvms" "topolvm" (eq .metadata.name "lvms-operator") -}}
{{- if ne $present $mode -}}
{{- fail (printf "mode: release %s has mode %s, and %s would delete what serves its volumes; set mode to %s, which Helm does not remember where other values are given. To change the mode, uninstall the release first" $.Release.Name $present $mode $present) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
