package dev.stowage.onnx.symbolic;

import dev.stowage.onnx.graph.ElementType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Rules for operators that compute each element from elements at the same place. */
final class ElementwiseRules {

  private static final List<String> UNARY =
      List.of(
          "Abs",
          "Acos",
          "Acosh",
          "Affine",
          "Asin",
          "Asinh",
          "Atan",
          "Atanh",
          "BitwiseNot",
          "Ceil",
          "Celu",
          "Clip",
          "Cos",
          "Cosh",
          "CumProd",
          "CumSum",
          "Elu",
          "Erf",
          "Exp",
          "Floor",
          "Gelu",
          "HardSigmoid",
          "HardSwish",
          "Hardmax",
          "ImageScaler",
          "LeakyRelu",
          "Log",
          "LogSoftmax",
          "Mish",
          "Neg",
          "ParametricSoftplus",
          "Reciprocal",
          "Relu",
          "ReverseSequence",
          "Round",
          "Scale",
          "ScaledTanh",
          "Scatter",
          "ScatterElements",
          "ScatterND",
          "Selu",
          "Shrink",
          "Sigmoid",
          "Sign",
          "Sin",
          "Sinh",
          "Softmax",
          "Softplus",
          "Softsign",
          "Sqrt",
          "Swish",
          "Tan",
          "Tanh",
          "TensorScatter",
          "ThresholdedRelu",
          "Trilu");

  private static final List<String> BROADCAST =
      List.of(
          "Add",
          "And",
          "BitShift",
          "BitwiseAnd",
          "BitwiseOr",
          "BitwiseXor",
          "Div",
          "Max",
          "Mean",
          "Min",
          "Mod",
          "Mul",
          "Or",
          "Pow",
          "Sub",
          "Sum",
          "Xor");

  private static final List<String> COMPARE =
      List.of("Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual");

  private ElementwiseRules() {}

  static Map<String, ShapeRule> rules() {
    Map<String, ShapeRule> rules = new HashMap<>();
    UNARY.forEach(name -> rules.put(name, ElementwiseRules::unary));
    BROADCAST.forEach(name -> rules.put(name, call -> broadcast(call, call.code(0))));
    COMPARE.forEach(name -> rules.put(name, call -> broadcast(call, ElementType.BOOL.code())));
    List.of("IsInf", "IsNaN", "Not")
        .forEach(name -> rules.put(name, call -> unary(call, ElementType.BOOL.code())));
    rules.put("Cast", ElementwiseRules::cast);
    rules.put("CastLike", call -> unary(call, call.code(1)));
    rules.put("Identity", call -> List.of(call.input(0)));
    rules.put("PRelu", call -> OperatorCall.result(call.code(0), call.shape(0)));
    rules.put("Where", ElementwiseRules::where);
    return rules;
  }

  static List<SymbolicValue> unary(OperatorCall call) {
    return unary(call, call.code(0));
  }

  static List<SymbolicValue> unary(OperatorCall call, int code) {
    SymbolicValue result = SymbolicValue.of(code, call.shape(0));
    return List.of(result.withContents(ElementwiseContents.of(call, result)));
  }

  private static List<SymbolicValue> cast(OperatorCall call) {
    return unary(call, (int) call.integer("to", 0));
  }

  static List<SymbolicValue> broadcast(OperatorCall call, int code) {
    SymbolicShape shape =
        call.version() < 7 && !List.of("Max", "Mean", "Min", "Sum").contains(call.operator())
            ? call.shape(0) // with the attribute "broadcast", the second operand is repeated
            : Broadcasting.of(call, IntStream.range(0, call.inputCount()).toArray());
    SymbolicValue result = SymbolicValue.of(code, shape);
    return List.of(result.withContents(ElementwiseContents.of(call, result)));
  }

  private static List<SymbolicValue> where(OperatorCall call) {
    SymbolicValue result = SymbolicValue.of(call.code(1), Broadcasting.of(call, 0, 1, 2));
    return List.of(result.withContents(ElementwiseContents.of(call, result)));
  }
}
