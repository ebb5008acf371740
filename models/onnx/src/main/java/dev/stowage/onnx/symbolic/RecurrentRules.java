package dev.stowage.onnx.symbolic;

import dev.stowage.plan.shapes.SizeExpression;
import java.util.List;
import java.util.Map;

/** Rules for recurrent layers. */
final class RecurrentRules {

  private RecurrentRules() {}

  static Map<String, ShapeRule> rules() {
    return Map.of(
        "GRU", call -> layer(call, 2),
        "LSTM", call -> layer(call, 3),
        "RNN", call -> layer(call, 2));
  }

  private static List<SymbolicValue> layer(OperatorCall call, int resultCount) {
    SymbolicShape input = call.shape(0);
    boolean isBatchFirst = call.flag("layout");
    SizeExpression steps = input.at(isBatchFirst ? 1 : 0);
    SizeExpression batch = input.at(isBatchFirst ? 0 : 1);
    SizeExpression directions =
        SizeExpression.of(call.text("direction", "forward").equals("bidirectional") ? 2 : 1);
    SizeExpression hidden =
        call.hasAttribute("hidden_size")
            ? SizeExpression.of(call.integer("hidden_size", 0))
            : call.shape(2).last();
    SymbolicShape all =
        isBatchFirst
            ? SymbolicShape.of(batch, steps, directions, hidden)
            : SymbolicShape.of(steps, directions, batch, hidden);
    SymbolicShape last =
        isBatchFirst
            ? SymbolicShape.of(batch, directions, hidden)
            : SymbolicShape.of(directions, batch, hidden);
    return List.of(
            SymbolicValue.of(call.code(0), all),
            SymbolicValue.of(call.code(0), last),
            SymbolicValue.of(call.code(0), last))
        .subList(0, resultCount);
  }
}
