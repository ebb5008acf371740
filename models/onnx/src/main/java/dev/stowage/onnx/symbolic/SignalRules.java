package dev.stowage.onnx.symbolic;

import dev.stowage.onnx.graph.ElementType;
import dev.stowage.plan.shapes.SizeExpression;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rules for operators of signal processing, and for losses. */
final class SignalRules {

  private static final int FLOAT = ElementType.FLOAT.code();
  private static final SizeExpression TWO = SizeExpression.of(2);

  private SignalRules() {}

  static Map<String, ShapeRule> rules() {
    Map<String, ShapeRule> rules = new HashMap<>();
    List.of("BlackmanWindow", "HammingWindow", "HannWindow")
        .forEach(name -> rules.put(name, SignalRules::window));
    rules.put("DFT", SignalRules::spectrum);
    rules.put("MelWeightMatrix", SignalRules::melWeights);
    rules.put("NegativeLogLikelihoodLoss", SignalRules::loss);
    rules.put("STFT", SignalRules::spectra);
    rules.put("SoftmaxCrossEntropyLoss", SignalRules::loss);
    return rules;
  }

  private static SizeExpression size(OperatorCall call, int input) {
    return LayoutRules.sizes(call, call.listed(input).orElseThrow(call::unknown)).at(0);
  }

  private static List<SymbolicValue> window(OperatorCall call) {
    return OperatorCall.result(
        (int) call.integer("output_datatype", FLOAT), SymbolicShape.of(size(call, 0)));
  }

  private static SizeExpression bins(SizeExpression length, boolean isHalf) {
    return isHalf ? length.floorDivide(2).plus(1) : length;
  }

  private static List<SymbolicValue> spectrum(OperatorCall call) {
    SymbolicShape signal = call.shape(0);
    int axis = call.axis(axis(call), signal.rank());
    SizeExpression length = call.has(1) ? size(call, 1) : signal.at(axis);
    if (call.flag("inverse") && call.flag("onesided")) {
      throw call.unknown();
    }
    return OperatorCall.result(
        call.code(0),
        signal.with(axis, bins(length, call.flag("onesided"))).with(signal.rank() - 1, TWO));
  }

  private static long axis(OperatorCall call) {
    if (call.version() < 20) {
      return call.integer("axis", 1);
    }
    return call.has(2)
        ? call.scalar(2)
            .map(Quantity::constant)
            .orElseThrow(call::unknown)
            .orElseThrow(call::unknown)
        : -2;
  }

  private static List<SymbolicValue> spectra(OperatorCall call) {
    SymbolicShape signal = call.shape(0);
    SizeExpression step = size(call, 1);
    if (!call.has(2) && !call.has(3)) {
      throw call.unknown();
    }
    SizeExpression length = call.has(3) ? size(call, 3) : call.shape(2).at(0);
    SizeExpression frames = call.sizing().floorDivide(signal.at(1).minus(length), step).plus(1);
    return OperatorCall.result(
        call.code(0),
        SymbolicShape.of(
            signal.at(0), frames, bins(length, call.integer("onesided", 1) != 0), TWO));
  }

  private static List<SymbolicValue> melWeights(OperatorCall call) {
    return OperatorCall.result(
        (int) call.integer("output_datatype", FLOAT),
        SymbolicShape.of(size(call, 1).floorDivide(2).plus(1), size(call, 0)));
  }

  private static List<SymbolicValue> loss(OperatorCall call) {
    SymbolicShape shape =
        call.text("reduction", "mean").equals("none") ? call.shape(1) : SymbolicShape.SCALAR;
    return List.of(
        SymbolicValue.of(call.code(0), shape), SymbolicValue.of(call.code(0), call.shape(0)));
  }
}
