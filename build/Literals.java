import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The string literals and text blocks of a Java file; those that are added up are one passage. */
final class Literals extends TreeScanner<Void, Void> {
    private static final String QUOTES = "\"\"\"";

    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final String source;
    private final List<Passage> passages = new ArrayList<>();

    private Literals(CompilationUnitTree unit, SourcePositions positions) throws IOException {
        this.unit = unit;
        this.positions = positions;
        this.source = unit.getSourceFile().getCharContent(true).toString();
    }

    static List<Passage> of(CompilationUnitTree unit, SourcePositions positions)
            throws IOException {
        var literals = new Literals(unit, positions);
        literals.scan(unit, null);
        return literals.passages;
    }

    @Override
    public Void visitBinary(BinaryTree sum, Void nothing) {
        if (sum.getKind() != Tree.Kind.PLUS) {
            return super.visitBinary(sum, nothing);
        }
        var passage = new Passage();
        add(sum, passage);
        passages.add(passage);
        return null;
    }

    @Override
    public Void visitLiteral(LiteralTree literal, Void nothing) {
        if (literal.getValue() instanceof String) {
            var passage = new Passage();
            add(literal, passage);
            passages.add(passage);
        }
        return null;
    }

    private void add(ExpressionTree part, Passage passage) {
        switch (part) {
            case BinaryTree sum when sum.getKind() == Tree.Kind.PLUS -> {
                add(sum.getLeftOperand(), passage);
                add(sum.getRightOperand(), passage);
            }
            case ParenthesizedTree inner -> add(inner.getExpression(), passage);
            case LiteralTree literal when literal.getValue() instanceof String text -> {
                int start = (int) positions.getStartPosition(unit, literal);
                int line = (int) unit.getLineMap().getLineNumber(start);
                if (source.startsWith(QUOTES, start)) {
                    int end = (int) positions.getEndPosition(unit, literal);
                    addBlock(source.substring(start, end - QUOTES.length()), line, passage);
                } else {
                    passage.add(line, text);
                }
            }
            default -> {
                passage.add(0, Passage.GAP);
                scan(part, null);
            }
        }
    }

    /** Line by line, since the value of a block does not say where its source was broken. */
    private static void addBlock(String block, int first, Passage passage) {
        var lines = block.split("\n", -1);
        for (int i = 1; i < lines.length; i++) {
            var line = lines[i].strip();
            boolean continued = line.matches("(.*[^\\\\])?(\\\\\\\\)*\\\\");
            var text = continued ? line.substring(0, line.length() - 1) : line + "\n";
            passage.add(first + i, text.translateEscapes());
        }
    }
}
