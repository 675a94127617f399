/**
 * The part of YAML that Kubernetes files use (ADR 20).
 *
 * <p>{@link lvms.k8s.yaml.Yaml} reads and writes; {@link lvms.k8s.yaml.YamlException} names the
 * line.
 *
 * {@snippet :
 * for (var document : Yaml.readAll(Files.readString(Path.of("manifests.yaml")))) {
 *     var object = KubeObject.of(document.asObject());
 *     System.out.println(object.kind() + " " + object.key());
 * }
 * String text = Yaml.write(ObjectTree.builder().put("replicas", 3).build());
 * }
 *
 * <p>It refuses anchors, tags, merge keys, duplicate keys, tabs in the indentation, and unquoted
 * {@code yes}, {@code no}, {@code on} and {@code off}. Comments are not kept.
 */
package lvms.k8s.yaml;
