/**
 * Makes a bundle and a catalogue for the Operator Lifecycle Manager out of the manifests of {@code
 * deploy/}. {@code ./build.sh olm} calls it.
 *
 * <p>Begin at {@link lvms.olm.Bundle}, which says what becomes of each manifest:
 *
 * {@snippet :
 * var release = Release.of("0.1.0", "registry.example.com/lvms:0.1.0");
 * var bundle = Bundle.of(Path.of("deploy"), release);
 * bundle.files().forEach((path, text) -> System.out.println(path));
 * new Catalog(bundle).documents().forEach(System.out::println);
 * }
 *
 * <p>The same manifests and the same release give the same bytes. What a bundle has to be like is
 * judged by the tests. {@code docs/olm.md} is for users, ADR 133 says why it is so.
 */
package lvms.olm;
