{{/* Which side is installed, and what keeps it from being: a value that this chart cannot honour is ignored, with a line
after the installation, unless ignoring it would change data or the access to them. */}}

{{- define "lvms.mode" -}}
{{- $mode := .Values.mode | default "topolvm" -}}
{{- if not (has $mode (list "topolvm" "lvms")) -}}
{{- fail (printf "mode: %s is not known; it is topolvm or lvms" $mode) -}}
{{- end -}}
{{- $mode -}}
{{- end -}}

{{- define "lvms.refusals" -}}
{{- if regexMatch "(^|/)topolvm(-with-sidecar)?$" .Values.image.repository -}}
{{- fail (printf "image.repository: %s has TopoLVM's programs, which lack what this chart starts; remove image.repository and image.reference, or name an image of lvms" .Values.image.repository) -}}
{{- end -}}
{{- if dig "enabled" false (get .Values "cert-manager" | default dict) -}}
{{- fail "cert-manager.enabled: this chart does not bring cert-manager, and an upgrade would remove the one that this release installed; install cert-manager as a release of its own and set cert-manager.enabled to false" -}}
{{- end -}}
{{- if and (gt (len .Values.lvmd.additionalConfigs) 0) (not .Values.lvmd.managed) -}}
{{- fail "lvmd.additionalConfigs: counts only with lvmd.managed true; without it every node would get the device classes of lvmd.deviceClasses" -}}
{{- end -}}
{{- $driver := include "topolvm.driver" . -}}
{{- $other := ternary "topolvm.io" "topolvm.cybozu.com" .Values.useLegacy -}}
{{- if lookup "apiextensions.k8s.io/v1" "CustomResourceDefinition" "" (printf "logicalvolumes.%s" $other) -}}
{{- with (lookup (printf "%s/v1" $other) "LogicalVolume" "" "").items -}}
{{- fail (printf "useLegacy: %t serves %s, but the cluster has %d LogicalVolumes of %s, whose volumes no pod could use; keep useLegacy as it was, or convert them first" $.Values.useLegacy $driver (len .) $other) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Keys with values that have no meaning here, as lines. */}}
{{- define "lvms.ignored" -}}
{{- $sidecars := list "csi_registrar" "liveness_probe" "csi_provisioner" "csi_resizer" "csi_snapshotter" -}}
{{- range $key, $value := .Values.image.csi -}}
{{- if $value }}
  image.csi.{{ $key }}
{{- end -}}
{{- end -}}
{{- range $group := list "resources" "env" -}}
{{- range $sidecars -}}
{{- if get (get $.Values $group) . }}
  {{ $group }}.{{ . }}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
