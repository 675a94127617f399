/**
 * The fenced blocks of the pages that people follow, and how tests run them as they are written.
 *
 * <p>A comment before each block says which test runs it, or why none does: {@link
 * lvms.tests.page.Mark} has the grammar. A test class takes its blocks from {@link
 * lvms.tests.page.Page}, runs them in a {@link lvms.tests.page.Terminal}, and says by {@link
 * lvms.tests.page.RunsBlocks} whose pages it runs.
 *
 * <pre>{@code
 * @RunsBlocks("docs/install.md")
 * class RealClusterBlockTests {
 *     @Test
 *     void theCommandsWork() throws Exception {
 *         try (var terminal = Terminal.open(folder, environment)) {
 *             for (var block : Page.of("docs/install.md").blocksOf(getClass())) {
 *                 terminal.run(block);
 *             }
 *         }
 *     }
 * }
 * }</pre>
 */
package lvms.tests.page;
