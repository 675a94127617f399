package lvms.tests.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A page whose blocks are tested.
 *
 * @param path from the root of the repository
 * @param blocks all blocks but those of output, which belong to the block before
 */
public record Page(Path path, List<Block> blocks) {
    /** The pages whose blocks have marks. */
    public static final List<String> ALL =
            List.of(
                    "README.md",
                    "docs/tutorial.md",
                    "docs/install.md",
                    "docs/operations.md",
                    "docs/release.md");

    private static final String FENCE = "```";

    public Page {
        blocks = List.copyOf(blocks);
    }

    /** Reads a page. */
    public static Page of(String path) throws IOException {
        return read(Path.of(path), Files.readAllLines(Path.of(path)));
    }

    static Page read(Path path, List<String> lines) {
        var blocks = new ArrayList<Block>();
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).strip().startsWith(FENCE)) {
                continue;
            }
            int begin = i;
            for (i++; i < lines.size() && !lines.get(i).strip().equals(FENCE); i++) {}
            if (i == lines.size()) {
                throw new IllegalArgumentException(path + ":" + (begin + 1) + ": has no end");
            }
            var mark = begin == 0 ? Optional.<Mark>empty() : Mark.of(lines.get(begin - 1));
            var text = String.join("\n", lines.subList(begin + 1, i)) + "\n";
            add(blocks, new Block(path, begin + 1, mark, text, ""));
        }
        return new Page(path, blocks);
    }

    private static void add(List<Block> blocks, Block block) {
        if (!block.mark().equals(Optional.of(new Mark.Output()))) {
            blocks.add(block);
        } else if (blocks.isEmpty() || testClass(blocks.getLast()).isEmpty()) {
            throw new IllegalArgumentException(
                    block.place() + ": the block before this output is not tested");
        } else {
            var last = blocks.removeLast();
            blocks.add(
                    new Block(
                            last.page(),
                            last.line(),
                            last.mark(),
                            last.text(),
                            last.output() + block.text()));
        }
    }

    private static Optional<String> testClass(Block block) {
        return block.mark()
                .filter(mark -> mark instanceof Mark.Tested)
                .map(mark -> ((Mark.Tested) mark).testClass());
    }

    /** Returns the blocks that name a class, in their order. */
    public List<Block> blocksOf(Class<?> testClass) {
        return blocks.stream()
                .filter(block -> testClass(block).equals(Optional.of(testClass.getSimpleName())))
                .toList();
    }
}
