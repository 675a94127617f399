/**
 * JSON values that never change: objects, lists, text, numbers, flags and null.
 *
 * <p>Begin with {@link lvms.k8s.tree.ObjectTree}: it reads along a path, and answers "absent" for a
 * member of an unexpected type; {@code with} and {@code without} give a changed tree that shares
 * the rest. {@link lvms.k8s.tree.Json} reads and writes text, {@link lvms.k8s.tree.Tree} is what
 * both hold.
 *
 * {@snippet :
 * ObjectTree pod = Json.parse(text).asObject();
 * String phase = pod.text("status", "phase").orElse("Unknown");
 * for (ObjectTree container : pod.objects("spec", "containers")) {
 *     System.out.println(container.text("name") + " " + container.text("image"));
 * }
 * ObjectTree labels = ObjectTree.builder().put("app", "web").put("tier", "front").build();
 * ObjectTree labelled = pod.with(labels, "metadata", "labels").without("status");
 * String json = Json.write(labelled);
 * }
 *
 * <p>It binds none of your classes to JSON, and keeps neither white space nor comments. What is
 * read shares names, short texts and small trees with what was read before. Only this package knows
 * that gson writes the tokens.
 */
package lvms.k8s.tree;
