/**
 * Makes the folder that a publisher pushes: container images with what belongs to them as an OCI
 * image layout, the chart, OLM's bundle and catalogue, manifests, archives for hosts and people,
 * and what all of it was built from. {@code ./build.sh release} calls it.
 *
 * <p>Begin at {@link lvms.release.Publication}, which says what becomes of what. A {@link
 * lvms.release.Layout} holds blobs and what names them:
 *
 * {@snippet :
 * var layout = Layout.create(Path.of("images"));
 * var text = layout.put("text/plain", "hello".getBytes(UTF_8));
 * layout.tag("registry.example.com/hello:1", Artifact.of("text/plain", text).putInto(layout));
 * layout.close();
 * }
 *
 * <p>The same inputs give the same bytes: every time is that of the commit. Nothing here talks to a
 * registry. What a release has to be like is judged by the tests, after the specifications of OCI,
 * in-toto, Helm and krew. {@code docs/release.md} is for users, ADR 138 says why it is so.
 */
package lvms.release;
