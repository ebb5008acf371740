package dev.stowage.onnx.symbolic;

import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The rule for {@code Einsum}: each letter of the equation is a dimension. */
final class Einsum {

  private static final String DOTS = "...";

  private final OperatorCall call;
  private final Map<Character, SizeExpression> letters = new TreeMap<>();
  private final Map<Character, Integer> uses = new TreeMap<>();
  private SymbolicShape dots = SymbolicShape.SCALAR;

  private Einsum(OperatorCall call) {
    this.call = call;
  }

  static List<SymbolicValue> apply(OperatorCall call) {
    return OperatorCall.result(call.code(0), new Einsum(call).shape());
  }

  private SymbolicShape shape() {
    String equation = call.text("equation", "").replace(" ", "");
    int arrow = equation.indexOf("->");
    String[] terms = (arrow < 0 ? equation : equation.substring(0, arrow)).split(",", -1);
    if (terms.length != call.inputCount()) {
      throw call.unknown();
    }
    for (int i = 0; i < terms.length; i++) {
      read(terms[i], call.shape(i));
    }
    String result = arrow < 0 ? implicitResult() : equation.substring(arrow + 2);
    List<SizeExpression> dimensions = new ArrayList<>();
    int at = result.indexOf(DOTS);
    addAll(dimensions, at < 0 ? result : result.substring(0, at));
    if (at >= 0) {
      dimensions.addAll(dots.dimensions());
      addAll(dimensions, result.substring(at + DOTS.length()));
    }
    return new SymbolicShape(dimensions);
  }

  private void read(String term, SymbolicShape shape) {
    int at = term.indexOf(DOTS);
    String before = at < 0 ? term : term.substring(0, at);
    String after = at < 0 ? "" : term.substring(at + DOTS.length());
    int hidden = shape.rank() - before.length() - after.length();
    if (hidden < 0 || (at < 0 && hidden > 0)) {
      throw call.unknown();
    }
    for (int i = 0; i < before.length(); i++) {
      read(before.charAt(i), shape.at(i));
    }
    for (int i = 0; i < after.length(); i++) {
      read(after.charAt(i), shape.at(before.length() + hidden + i));
    }
    dots =
        Broadcasting.of(
            call, dots, new SymbolicShape(shape.part(before.length(), before.length() + hidden)));
  }

  private void read(char letter, SizeExpression dimension) {
    uses.merge(letter, 1, Integer::sum);
    letters.merge(letter, dimension, call::broadcast);
  }

  /** {@return the letters of the result if the equation has none: those that occur once} */
  private String implicitResult() {
    StringBuilder once = new StringBuilder(DOTS);
    uses.forEach((letter, count) -> {
      if (count == 1) {
        once.append(letter.charValue());
      }
    });
    return once.toString();
  }

  private void addAll(List<SizeExpression> dimensions, String names) {
    for (int i = 0; i < names.length(); i++) {
      SizeExpression dimension = letters.get(names.charAt(i));
      if (dimension == null) {
        throw call.unknown();
      }
      dimensions.add(dimension);
    }
  }
}
