package lvms.tests.page;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Fails a class of {@link RunsBlocks} that passed without some of its blocks. */
final class AllBlocksRan implements AfterAllCallback, TestWatcher {
    private boolean complete = true;

    @Override
    public void testAborted(ExtensionContext test, Throwable cause) {
        complete = false;
    }

    @Override
    public void testFailed(ExtensionContext test, Throwable cause) {
        complete = false;
    }

    @Override
    public void testDisabled(ExtensionContext test, Optional<String> reason) {
        complete = false;
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (complete) {
            var left = left(context.getRequiredTestClass());
            if (!left.isEmpty()) {
                throw new AssertionError(
                        "blocks that name this class, and that it ran not: " + left);
            }
        }
    }

    static List<String> left(Class<?> testClass) throws IOException {
        var left = new ArrayList<String>();
        for (var page : testClass.getAnnotation(RunsBlocks.class).value()) {
            Page.of(page).blocksOf(testClass).stream()
                    .filter(block -> !block.isTaken())
                    .forEach(block -> left.add(block.place()));
        }
        return left;
    }
}
