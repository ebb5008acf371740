package dev.stowage.onnx.symbolic;

import dev.stowage.onnx.graph.ElementType;
import java.util.List;
import java.util.Map;

/** Rules for conversions between integers with a scale and floating-point numbers. */
final class QuantizationRules {

  private static final int FLOAT = ElementType.FLOAT.code();
  private static final int UINT8 = ElementType.UINT8.code();

  private QuantizationRules() {}

  static Map<String, ShapeRule> rules() {
    return Map.of(
        "DequantizeLinear", QuantizationRules::dequantized,
        "DynamicQuantizeLinear", QuantizationRules::measured,
        "QuantizeLinear", QuantizationRules::quantized);
  }

  private static List<SymbolicValue> dequantized(OperatorCall call) {
    long code = call.integer("output_dtype", 0);
    return OperatorCall.result(code == 0 ? call.code(1) : (int) code, call.shape(0));
  }

  private static List<SymbolicValue> quantized(OperatorCall call) {
    long code = call.integer("output_dtype", 0);
    int otherwise = call.has(2) ? call.code(2) : UINT8;
    return OperatorCall.result(code == 0 ? otherwise : (int) code, call.shape(0));
  }

  private static List<SymbolicValue> measured(OperatorCall call) {
    return List.of(
        SymbolicValue.of(UINT8, call.shape(0)),
        SymbolicValue.of(FLOAT, SymbolicShape.SCALAR),
        SymbolicValue.of(UINT8, SymbolicShape.SCALAR));
  }
}
