/**
 * Writes {@code docs/reference.md} from what the product really has: the schemas of {@code
 * deploy/base/crds}, the registrations of metrics in the sources, the enums of Event and condition
 * reasons, and the flags of the subcommands. {@code ./build.sh docs} runs it, and a unit test says
 * when the page is out of date.
 *
 * <p>It knows nothing about lvms that is not in those places. A sentence that the page lacks
 * belongs into the description of a field, the meaning of a reason or the help of a flag.
 */
package lvms.tests.docs;
