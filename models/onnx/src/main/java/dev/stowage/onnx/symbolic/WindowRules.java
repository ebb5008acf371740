package dev.stowage.onnx.symbolic;

import dev.stowage.onnx.graph.ElementType;
import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Rules for convolutions and pooling. */
final class WindowRules {

  private static final SizeExpression ONE = SizeExpression.of(1);

  private WindowRules() {}

  static Map<String, ShapeRule> rules() {
    Map<String, ShapeRule> rules = new HashMap<>();
    rules.put("AveragePool", WindowRules::pooled);
    rules.put("Col2Im", WindowRules::image);
    rules.put("Conv", call -> convolved(call, 1, call.code(0)));
    rules.put("ConvInteger", call -> convolved(call, 1, ElementType.INT32.code()));
    rules.put("ConvTranspose", WindowRules::transposed);
    rules.put("DeformConv", call -> convolved(call, 1, call.code(0)));
    rules.put("GlobalAveragePool", WindowRules::global);
    rules.put("GlobalLpPool", WindowRules::global);
    rules.put("GlobalMaxPool", WindowRules::global);
    rules.put("LpPool", WindowRules::pooled);
    rules.put("MaxPool", WindowRules::pooled);
    rules.put("MaxRoiPool", WindowRules::regions);
    rules.put("MaxUnpool", WindowRules::unpooled);
    rules.put("QLinearConv", call -> convolved(call, 3, call.code(7)));
    rules.put("RoiAlign", WindowRules::alignedRegions);
    return rules;
  }

  /** {@return the axes of an image after its batch and channels} */
  private static List<SizeExpression> axes(SymbolicShape image) {
    return image.part(2, image.rank());
  }

  private static SymbolicShape shape(
      SizeExpression batch, SizeExpression channels, List<SizeExpression> axes) {
    List<SizeExpression> dimensions = new ArrayList<>(List.of(batch, channels));
    dimensions.addAll(axes);
    return new SymbolicShape(dimensions);
  }

  /** {@return the lengths of the window in an attribute} */
  private static Optional<List<SizeExpression>> window(OperatorCall call) {
    return call.integers("kernel_shape")
        .map(lengths -> lengths.stream().map(SizeExpression::of).toList());
  }

  private static WindowLengths lengths(OperatorCall call, SymbolicShape image, int weights) {
    return new WindowLengths(
        call, axes(image), window(call).orElseGet(() -> axes(call.shape(weights))));
  }

  private static List<SymbolicValue> convolved(OperatorCall call, int weights, int code) {
    SymbolicShape image = call.shape(0);
    return OperatorCall.result(
        code,
        shape(image.at(0), call.shape(weights).at(0), lengths(call, image, weights).places()));
  }

  private static List<SymbolicValue> transposed(OperatorCall call) {
    SymbolicShape image = call.shape(0);
    return OperatorCall.result(
        call.code(0),
        shape(
            image.at(0),
            call.shape(1).at(1).times(call.integer("group", 1)),
            lengths(call, image, 1).transposed()));
  }

  private static List<SymbolicValue> pooled(OperatorCall call) {
    SymbolicShape image = call.shape(0);
    WindowLengths lengths =
        new WindowLengths(call, axes(image), window(call).orElseThrow(call::unknown));
    SymbolicShape pooled = shape(image.at(0), image.at(1), lengths.places());
    return List.of(
        SymbolicValue.of(call.code(0), pooled), SymbolicValue.of(ElementType.INT64.code(), pooled));
  }

  private static List<SymbolicValue> global(OperatorCall call) {
    SymbolicShape image = call.shape(0);
    return OperatorCall.result(
        call.code(0),
        shape(image.at(0), image.at(1), axes(image).stream().map(axis -> ONE).toList()));
  }

  private static List<SymbolicValue> unpooled(OperatorCall call) {
    SymbolicShape image = call.shape(0);
    if (call.has(2)) {
      return OperatorCall.result(
          call.code(0), LayoutRules.sizes(call, call.listed(2).orElseThrow(call::unknown)));
    }
    WindowLengths lengths =
        new WindowLengths(call, axes(image), window(call).orElseThrow(call::unknown));
    return OperatorCall.result(call.code(0), shape(image.at(0), image.at(1), lengths.transposed()));
  }

  private static List<SymbolicValue> regions(OperatorCall call) {
    List<SizeExpression> lengths =
        call.integers("pooled_shape").orElseThrow(call::unknown).stream()
            .map(SizeExpression::of)
            .toList();
    return OperatorCall.result(
        call.code(0), shape(call.shape(1).at(0), call.shape(0).at(1), lengths));
  }

  private static List<SymbolicValue> alignedRegions(OperatorCall call) {
    return OperatorCall.result(
        call.code(0),
        SymbolicShape.of(
            call.shape(1).at(0),
            call.shape(0).at(1),
            SizeExpression.of(call.integer("output_height", 1)),
            SizeExpression.of(call.integer("output_width", 1))));
  }

  private static List<SymbolicValue> image(OperatorCall call) {
    SymbolicShape columns = call.shape(0);
    SymbolicShape lengths = LayoutRules.sizes(call, call.listed(1).orElseThrow(call::unknown));
    SymbolicShape block = LayoutRules.sizes(call, call.listed(2).orElseThrow(call::unknown));
    return OperatorCall.result(
        call.code(0),
        shape(
            columns.at(0),
            call.sizing().floorDivide(columns.at(1), block.elements()),
            lengths.dimensions()));
  }
}
