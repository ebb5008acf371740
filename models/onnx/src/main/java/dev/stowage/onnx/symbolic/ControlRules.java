package dev.stowage.onnx.symbolic;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import dev.stowage.onnx.graph.ElementType;
import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Rules for operators with bodies. */
final class ControlRules {

  /** The number of evaluations of a loop's body after which its shapes are unknown. */
  private static final int MAX_ROUNDS = 4;

  /** The computation of the values in bodies. */
  interface Bodies {

    /** {@return the outputs of a body with these inputs} */
    List<SymbolicValue> evaluate(GraphProto body, List<SymbolicValue> inputs);
  }

  private final Bodies bodies;
  private final OperatorCall call;

  ControlRules(Bodies bodies, OperatorCall call) {
    this.bodies = bodies;
    this.call = call;
  }

  static boolean isControl(String operator) {
    return List.of("If", "Loop", "Scan").contains(operator);
  }

  List<SymbolicValue> results() {
    return switch (call.operator()) {
      case "If" -> branches();
      case "Loop" -> loop();
      default -> scan();
    };
  }

  private GraphProto body(String name) {
    return call.attribute(name).map(AttributeProto::getG).orElseThrow(call::unknown);
  }

  private List<SymbolicValue> branches() {
    OptionalLong condition = call.scalar(0).map(Quantity::constant).orElse(OptionalLong.empty());
    if (condition.isPresent()) {
      return bodies.evaluate(
          body(condition.getAsLong() == 0 ? "else_branch" : "then_branch"), List.of());
    }
    List<SymbolicValue> one = bodies.evaluate(body("then_branch"), List.of());
    List<SymbolicValue> other = bodies.evaluate(body("else_branch"), List.of());
    if (one.size() != other.size()) {
      throw call.unknown();
    }
    List<SymbolicValue> results = new ArrayList<>();
    for (int i = 0; i < one.size(); i++) {
      results.add(either(one.get(i), other.get(i)));
    }
    return results;
  }

  /** {@return the common part of two values without their elements} */
  private SymbolicValue either(SymbolicValue one, SymbolicValue other) {
    int code = one.elementCode() == 0 ? other.elementCode() : one.elementCode();
    if (one.shape().isEmpty() || other.shape().isEmpty()) {
      SymbolicValue unknown = one.shape().isEmpty() ? one : other;
      return SymbolicValue.unknown(code, unknown.cause());
    }
    SymbolicShape first = one.shape().get();
    SymbolicShape second = other.shape().get();
    if (first.rank() != second.rank()) {
      return SymbolicValue.unknown(code, call.description());
    }
    List<SizeExpression> dimensions = new ArrayList<>();
    for (int axis = 0; axis < first.rank(); axis++) {
      boolean isSettled =
          first.at(axis).equals(second.at(axis))
              || call.sizing().causeOf(first.at(axis)).isPresent();
      dimensions.add(isSettled ? first.at(axis) : call.unknownSize());
    }
    return SymbolicValue.of(code, new SymbolicShape(dimensions));
  }

  /** The inputs are the number of rounds, the condition, and the carried values. */
  private List<SymbolicValue> loop() {
    GraphProto body = body("body");
    int carriedCount = Math.max(0, body.getInputCount() - 2);
    List<SymbolicValue> carried = new ArrayList<>();
    for (int i = 0; i < carriedCount; i++) {
      carried.add(call.input(2 + i).withoutContents());
    }
    List<SymbolicValue> outputs = List.of();
    for (int round = 0; round < MAX_ROUNDS; round++) {
      List<SymbolicValue> inputs = new ArrayList<>();
      inputs.add(SymbolicValue.of(ElementType.INT64.code(), SymbolicShape.SCALAR));
      inputs.add(SymbolicValue.of(ElementType.BOOL.code(), SymbolicShape.SCALAR));
      inputs.addAll(carried);
      outputs = bodies.evaluate(body, inputs);
      if (outputs.size() < 1 + carriedCount) {
        throw call.unknown();
      }
      List<SymbolicValue> next = new ArrayList<>();
      for (int i = 0; i < carriedCount; i++) {
        next.add(stable(carried.get(i), outputs.get(1 + i), round));
      }
      if (next.equals(carried)) {
        break;
      }
      carried = next;
    }
    List<SymbolicValue> results = new ArrayList<>(carried);
    for (SymbolicValue each : outputs.subList(1 + carriedCount, outputs.size())) {
      results.add(stacked(each, 0, call.unknownSize()));
    }
    return results;
  }

  /** {@return a carried value before and after a round; unknown if it changes in the last round} */
  private SymbolicValue stable(SymbolicValue before, SymbolicValue after, int round) {
    if (before.shape().equals(after.shape()) && before.elementCode() == after.elementCode()) {
      return before;
    }
    return round == MAX_ROUNDS - 2
        ? SymbolicValue.unknown(before.elementCode(), call.description())
        : either(before, after);
  }

  /** {@return the results of all rounds, side by side along an axis} */
  private SymbolicValue stacked(SymbolicValue each, long axis, SizeExpression count) {
    Optional<SymbolicShape> shape = each.shape();
    if (shape.isEmpty()) {
      return SymbolicValue.unknown(each.elementCode(), each.cause());
    }
    List<SizeExpression> dimensions = new ArrayList<>(shape.get().dimensions());
    dimensions.add(call.axis(axis, shape.get().rank() + 1), count);
    return SymbolicValue.of(each.elementCode(), new SymbolicShape(dimensions));
  }

  private List<SymbolicValue> scan() {
    if (call.version() < 9) {
      throw call.unknown();
    }
    GraphProto body = body("body");
    int scannedCount = Math.clamp(call.integer("num_scan_inputs", 0), 0, call.inputCount());
    int carriedCount = call.inputCount() - scannedCount;
    if (scannedCount == 0) {
      throw call.unknown();
    }
    List<Long> axes = call.integers("scan_input_axes", scannedCount, 0);
    List<SymbolicValue> inputs = new ArrayList<>();
    for (int i = 0; i < carriedCount; i++) {
      inputs.add(call.input(i).withoutContents());
    }
    SizeExpression count = SizeExpression.of(0);
    for (int i = 0; i < scannedCount; i++) {
      SymbolicShape scanned = call.shape(carriedCount + i);
      int axis = call.axis(axes.get(i), scanned.rank());
      SizeExpression length = scanned.at(axis);
      count = i == 0 ? length : call.sameSize(count, length);
      List<SizeExpression> part = new ArrayList<>(scanned.dimensions());
      part.remove(axis);
      inputs.add(SymbolicValue.of(call.code(carriedCount + i), new SymbolicShape(part)));
    }
    List<SymbolicValue> outputs = bodies.evaluate(body, inputs);
    if (outputs.size() < carriedCount) {
      throw call.unknown();
    }
    List<Long> outputAxes = call.integers("scan_output_axes", outputs.size() - carriedCount, 0);
    // The carried values keep their shapes.
    List<SymbolicValue> results = new ArrayList<>(inputs.subList(0, carriedCount));
    for (int i = carriedCount; i < outputs.size(); i++) {
      results.add(stacked(outputs.get(i), outputAxes.get(i - carriedCount), count));
    }
    return results;
  }
}
