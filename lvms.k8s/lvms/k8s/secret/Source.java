package lvms.k8s.secret;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Bytes of a configuration: inline, or in another file that may be replaced. */
public sealed interface Source {
    /**
     * Bytes that never change.
     *
     * @param bytes the bytes
     */
    record Inline(byte[] bytes) implements Source {
        @Override
        public byte[] read() {
            return bytes.clone();
        }

        @Override
        public String toString() {
            return "inline data";
        }
    }

    /**
     * A file.
     *
     * @param path where it is
     */
    record File(Path path) implements Source {
        @Override
        public byte[] read() throws IOException {
            try {
                return Files.readAllBytes(path);
            } catch (NoSuchFileException e) {
                throw new IOException("there is no file " + path, e);
            } catch (AccessDeniedException e) {
                throw new IOException("no permission to read " + path, e);
            }
        }

        @Override
        public String toString() {
            return path.toString();
        }
    }

    /** Returns the present bytes. */
    byte[] read() throws IOException;
}
