package lvms.node;

import lvms.node.deviceclass.LvmdConfigFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where people write the device classes of groups that they made: a file in the format of
 * lvmd.yaml, or a folder, as a ConfigMap is mounted, with {@code NODE.yaml} for a node and {@code
 * default.yaml} for the others.
 *
 * @param place the file or folder
 * @param node name of this node
 */
record UserClassFile(Path place, String node) {
    private static final String ENDING = ".yaml";
    private static final String OTHERS = "default" + ENDING;

    /** Returns the file of this node; in a folder there may be none. */
    Optional<Path> file() {
        if (!Files.isDirectory(place)) {
            return Optional.of(place);
        }
        var own = place.resolve(node + ENDING);
        var file = Files.exists(own) ? own : place.resolve(OTHERS);
        return Files.exists(file) ? Optional.of(file) : Optional.empty();
    }

    /** Returns a text that changes with what {@link #file} returns and with what is in it. */
    String fingerprint() throws IOException {
        var file = file();
        return file.isEmpty() ? "" : file.get() + new LvmdConfigFile(file.get()).fingerprint();
    }

    /**
     * Reads and checks the classes of this node.
     *
     * @return empty if the folder has no file for this node
     * @throws LvmdConfigException if anything is wrong; the message is one line
     */
    Optional<LvmdSettings> read() throws LvmdConfigException {
        var file = file();
        if (file.isPresent() && !Files.exists(file.get())) {
            throw new LvmdConfigException(
                    place
                            + " does not exist: write the device classes there, or name another"
                            + " file or folder",
                    null);
        }
        return file.isEmpty() ? Optional.empty() : Optional.of(LvmdSettings.read(file.get()));
    }

    /** Returns where the files of a folder disagree, one line for each matter. */
    List<String> disagreements() throws IOException {
        var found = new ClassDisagreements();
        for (var file : files()) {
            try {
                found.add(file.getFileName().toString(), LvmdSettings.read(file).classes());
            } catch (LvmdConfigException _) {
                // the agent of its node says what is wrong with it
            }
        }
        return found.lines();
    }

    private List<Path> files() throws IOException {
        if (!Files.isDirectory(place)) {
            return List.of();
        }
        try (var all = Files.list(place)) {
            return all.filter(path -> path.toString().endsWith(ENDING)).sorted().toList();
        }
    }
}
