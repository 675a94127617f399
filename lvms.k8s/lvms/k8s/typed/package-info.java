/**
 * Objects as values of your own types, such as records, without losing what those do not know.
 *
 * <p>Begin with {@link lvms.k8s.typed.Codec} and {@link lvms.k8s.typed.TypedClient}:
 *
 * {@snippet :
 * record Spec(String color, Optional<Integer> replicas) {}
 * record Widget(Spec spec) {}
 *
 * var type = new ResourceType("example.com", "v1", "Widget", "widgets", true);
 * var codec = Codec.ofRecord(java.lang.invoke.MethodHandles.lookup(), Widget.class);
 * var widgets = new TypedClient<>(kube, type, codec);
 * var key = ObjectKey.of("default", "a");
 * widgets.create(key, new Widget(new Spec("red", Optional.of(3))));
 * widgets.update(key, widget -> new Widget(new Spec("blue", widget.spec().replicas())));
 * }
 *
 * <p>A change of a value becomes a change of the object's tree: a field that a newer version of the
 * type has, or that another controller wrote, stays. There is no generated code and no schema.
 */
package lvms.k8s.typed;
