package lvms.debian;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/** How a file comes from an address to this machine. */
interface Transfer {
    /**
     * Writes the file; what is there is replaced.
     *
     * @return whether the server has it
     * @throws IOException if that could not be found out, or it broke off
     */
    boolean fetch(URI from, Path to) throws IOException, InterruptedException;
}
