package dev.stowage.onnx.symbolic;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.SparseTensorProto;
import dev.stowage.onnx.graph.ElementType;
import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Rules for operators that make tensors of constants, sizes or random numbers. */
final class ConstantRules {

  private static final int FLOAT = ElementType.FLOAT.code();

  private ConstantRules() {}

  static Map<String, ShapeRule> rules() {
    Map<String, ShapeRule> rules = new HashMap<>();
    rules.put("Bernoulli", call -> like(call, call.code(0)));
    rules.put("Constant", call -> List.of(constant(call)));
    rules.put("ConstantOfShape", ConstantRules::filled);
    rules.put("EyeLike", call -> like(call, call.code(0)));
    rules.put("Multinomial", ConstantRules::multinomial);
    rules.put("RandomNormal", ConstantRules::random);
    rules.put("RandomNormalLike", call -> like(call, call.code(0)));
    rules.put("RandomUniform", ConstantRules::random);
    rules.put("RandomUniformLike", call -> like(call, call.code(0)));
    rules.put("Range", ConstantRules::range);
    rules.put("Shape", ConstantRules::shape);
    rules.put("Size", call -> List.of(SymbolicValue.scalarOf(call.shape(0).elements())));
    return rules;
  }

  private static SymbolicValue constant(OperatorCall call) {
    for (String name : List.of("value", "value_int", "value_ints", "value_float", "value_floats")) {
      Optional<AttributeProto> attribute = call.attribute(name);
      if (attribute.isPresent()) {
        return constant(name, attribute.get());
      }
    }
    SparseTensorProto sparse =
        call.attribute("sparse_value").orElseThrow(call::unknown).getSparseTensor();
    return SymbolicValue.of(
        sparse.getValues().getDataType(),
        SymbolicShape.ofConstants(
            sparse.getDimsList().stream().mapToLong(Long::longValue).toArray()));
  }

  private static SymbolicValue constant(String name, AttributeProto attribute) {
    return switch (name) {
      case "value" -> ElementNumbers.valueOf(attribute.getT());
      case "value_int" -> SymbolicValue.scalarOf(SizeExpression.of(attribute.getI()));
      case "value_ints" ->
          SymbolicValue.listOf(attribute.getIntsList().stream().map(Quantity::of).toList());
      case "value_float" ->
          SymbolicValue.of(FLOAT, SymbolicShape.SCALAR)
              .withContents(
                  Quantity.ofDouble(attribute.getF())
                      .map(number -> new SymbolicContents.Listed(List.of(number))));
      default -> SymbolicValue.of(FLOAT, SymbolicShape.ofConstants(attribute.getFloatsCount()));
    };
  }

  private static List<SymbolicValue> filled(OperatorCall call) {
    SymbolicValue element =
        call.attribute("value")
            .map(value -> ElementNumbers.valueOf(value.getT()))
            .orElseGet(() ->
                SymbolicValue.of(FLOAT, SymbolicShape.ofConstants(1))
                    .withContents(new SymbolicContents.Uniform(Quantity.of(0))));
    Optional<List<Quantity>> sizes = call.listed(0);
    if (sizes.isEmpty()) {
      OptionalLong rank = call.shape(0).at(0).constant();
      return OperatorCall.result(
          element.elementCode(),
          call.unknownShape((int) Math.min(64, rank.orElseThrow(call::unknown))));
    }
    return List.of(
        SymbolicValue.of(element.elementCode(), LayoutRules.sizes(call, sizes.get()))
            .withContents(
                element
                    .listed()
                    .filter(elements -> elements.size() == 1)
                    .map(elements -> new SymbolicContents.Uniform(elements.getFirst()))));
  }

  private static List<SymbolicValue> like(OperatorCall call, int code) {
    return OperatorCall.result((int) call.integer("dtype", code), call.shape(0));
  }

  private static List<SymbolicValue> random(OperatorCall call) {
    List<Long> sizes = call.integers("shape").orElseThrow(call::unknown);
    return OperatorCall.result(
        (int) call.integer("dtype", FLOAT),
        SymbolicShape.ofConstants(sizes.stream().mapToLong(Long::longValue).toArray()));
  }

  private static List<SymbolicValue> multinomial(OperatorCall call) {
    return OperatorCall.result(
        (int) call.integer("dtype", ElementType.INT32.code()),
        SymbolicShape.of(call.shape(0).at(0), SizeExpression.of(call.integer("sample_size", 1))));
  }

  private static List<SymbolicValue> shape(OperatorCall call) {
    SymbolicShape input = call.shape(0);
    int start = clamped(call.integer("start", 0), input.rank());
    int end = clamped(call.integer("end", input.rank()), input.rank());
    return List.of(
        SymbolicValue.listOf(
            input.part(start, Math.max(start, end)).stream().map(Quantity::of).toList()));
  }

  private static int clamped(long axis, int rank) {
    return Math.clamp(axis < 0 ? axis + rank : axis, 0, rank);
  }

  private static List<SymbolicValue> range(OperatorCall call) {
    Optional<Quantity> start = call.scalar(0);
    Optional<Quantity> limit = call.scalar(1);
    OptionalLong step = call.scalar(2).map(Quantity::constant).orElse(OptionalLong.empty());
    if (start.isEmpty() || limit.isEmpty() || step.isEmpty() || step.getAsLong() == 0) {
      return OperatorCall.result(call.code(0), SymbolicShape.of(call.unknownSize()));
    }
    long stride = step.getAsLong();
    Quantity distance = limit.get().minus(start.get());
    Quantity steps =
        (stride > 0 ? distance : distance.negated())
            .times(Quantity.of(Math.absExact(stride)).inverse());
    SizeExpression count = call.sizing().orZero(steps.ceil());
    SymbolicValue result = SymbolicValue.of(call.code(0), SymbolicShape.of(count));
    long length = count.constant().orElse(Long.MAX_VALUE);
    if (length > SymbolicContents.MAX_COUNT) {
      return List.of(result);
    }
    List<Quantity> elements = new ArrayList<>();
    for (long i = 0; i < length; i++) {
      elements.add(start.get().plus(Quantity.of(Math.multiplyExact(i, stride))));
    }
    return List.of(result.withContents(new SymbolicContents.Listed(elements)));
  }
}
