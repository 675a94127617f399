/**
 * Fetches pinned packages of Debian and unpacks them, without root, apt or dpkg. {@code ./build.sh
 * oci} calls it.
 *
 * <p>Begin at {@link lvms.debian.Lock}, whose pins say what is fetched, and at {@link
 * lvms.debian.Contents}, which says what of it is kept:
 *
 * {@snippet :
 * var lock = Lock.read(Path.of("build/oci/debian-arm64.lock"));
 * var archive = new Archive(Map.of("debian", URI.create(MIRROR)), Optional.empty(), new Http());
 * var files = new Downloads(archive, Path.of("cache")).fetch(lock);
 * new Layer(Path.of("root")).unpack(Contents.read(contents), files);
 * }
 *
 * <p>Which versions there are is asked by apt when the pins are renewed: it checks the archive's
 * signature. From then on the SHA-256 of a pin is what counts, wherever the file comes from.
 */
package lvms.debian;
