package dev.stowage.onnx.symbolic;

import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** Rules for operators that sample an image at another resolution. */
final class ResizeRules {

  /** Products below this bound are exact in 32-bit floating-point numbers. */
  private static final long MAX_EXACT = 1L << 24;

  private ResizeRules() {}

  static Map<String, ShapeRule> rules() {
    Map<String, ShapeRule> rules = new HashMap<>();
    rules.put("AffineGrid", ResizeRules::grid);
    rules.put("GridSample", ResizeRules::sampled);
    rules.put("Resize", ResizeRules::resized);
    rules.put("Upsample", ResizeRules::upsampled);
    return rules;
  }

  private static List<SymbolicValue> upsampled(OperatorCall call) {
    SymbolicShape image = call.shape(0);
    List<Quantity> scales =
        call.hasAttribute("scales")
            ? call.numbers("scales").stream()
                .map(scale -> Quantity.ofDouble(scale).orElseThrow(call::unknown))
                .toList()
            : call.listed(1).orElseThrow(call::unknown);
    return OperatorCall.result(call.code(0), scaled(call, image, allAxes(image), scales));
  }

  private static List<SymbolicValue> resized(OperatorCall call) {
    SymbolicShape image = call.shape(0);
    int scalesInput = call.version() < 11 ? 1 : 2;
    List<Integer> axes =
        call.integers("axes")
            .map(given -> given.stream().map(axis -> call.axis(axis, image.rank())).toList())
            .orElseGet(() -> allAxes(image));
    if (call.has(3)) {
      if (!call.text("keep_aspect_ratio_policy", "stretch").equals("stretch")) {
        throw call.unknown();
      }
      Optional<List<Quantity>> sizes = call.listed(3);
      if (sizes.isEmpty()) {
        return OperatorCall.result(call.code(0), call.unknownShape(image.rank()));
      }
      SymbolicShape given = LayoutRules.sizes(call, sizes.get());
      SymbolicShape shape = image;
      for (int i = 0; i < axes.size(); i++) {
        shape = shape.with(axes.get(i), given.at(i));
      }
      return OperatorCall.result(call.code(0), shape);
    }
    Optional<List<Quantity>> scales = call.listed(scalesInput);
    return OperatorCall.result(
        call.code(0),
        scales.isEmpty()
            ? call.unknownShape(image.rank())
            : scaled(call, image, axes, scales.get()));
  }

  private static List<Integer> allAxes(SymbolicShape image) {
    return IntStream.range(0, image.rank()).boxed().toList();
  }

  private static SymbolicShape scaled(
      OperatorCall call, SymbolicShape image, List<Integer> axes, List<Quantity> scales) {
    if (scales.size() != axes.size()) {
      throw call.unknown();
    }
    SymbolicShape shape = image;
    for (int i = 0; i < axes.size(); i++) {
      SizeExpression length = image.at(axes.get(i));
      shape = shape.with(axes.get(i), scaled(call, length, scales.get(i)));
    }
    return shape;
  }

  private static SizeExpression scaled(OperatorCall call, SizeExpression length, Quantity scale) {
    // ONNX Runtime multiplies 32-bit floating-point numbers, which may round to the next integer.
    OptionalLong top = scale.numerator().constant();
    boolean isExact =
        scale.isWhole()
            || (top.isPresent()
                && call.sizing().isAtMost(length.times(top.getAsLong()), MAX_EXACT));
    if (!isExact || !call.sizing().isAtLeast(scale.numerator(), 0)) {
      return call.unknownSize();
    }
    return Quantity.of(length).times(scale).floor();
  }

  private static List<SymbolicValue> sampled(OperatorCall call) {
    SymbolicShape image = call.shape(0);
    SymbolicShape grid = call.shape(1);
    List<SizeExpression> dimensions = new ArrayList<>(image.part(0, 2));
    dimensions.addAll(grid.part(1, grid.rank() - 1));
    return OperatorCall.result(call.code(0), new SymbolicShape(dimensions));
  }

  private static List<SymbolicValue> grid(OperatorCall call) {
    SymbolicShape image = LayoutRules.sizes(call, call.listed(1).orElseThrow(call::unknown));
    List<SizeExpression> dimensions = new ArrayList<>(image.part(0, 1));
    dimensions.addAll(image.part(2, image.rank()));
    dimensions.add(SizeExpression.of(image.rank() - 2));
    return OperatorCall.result(call.code(0), new SymbolicShape(dimensions));
  }
}
