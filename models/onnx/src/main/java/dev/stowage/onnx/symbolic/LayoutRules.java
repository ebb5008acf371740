package dev.stowage.onnx.symbolic;

import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Rules for operators that move, join, repeat or pad elements. */
final class LayoutRules {

  private LayoutRules() {}

  static Map<String, ShapeRule> rules() {
    Map<String, ShapeRule> rules = new HashMap<>();
    rules.put("CenterCropPad", LayoutRules::cropOrPad);
    rules.put("Concat", LayoutRules::concat);
    rules.put("Crop", LayoutRules::crop);
    rules.put("DepthToSpace", LayoutRules::depthToSpace);
    rules.put("Expand", LayoutRules::expand);
    rules.put("Pad", LayoutRules::pad);
    rules.put("SpaceToDepth", LayoutRules::spaceToDepth);
    rules.put("Tile", LayoutRules::tile);
    rules.put("Transpose", LayoutRules::transpose);
    return rules;
  }

  private static List<SymbolicValue> transpose(OperatorCall call) {
    SymbolicShape input = call.shape(0);
    List<Long> order =
        call.integers("perm")
            .orElseGet(() ->
                IntStream.range(0, input.rank())
                    .mapToObj(axis -> (long) input.rank() - 1 - axis)
                    .toList());
    if (order.size() != input.rank() || call.axes(order, input.rank()).size() != input.rank()) {
      throw call.unknown();
    }
    List<SizeExpression> dimensions = new ArrayList<>();
    order.forEach(axis -> dimensions.add(input.at(call.axis(axis, input.rank()))));
    SymbolicValue result = SymbolicValue.of(call.code(0), new SymbolicShape(dimensions));
    return List.of(result.withContents(transposed(call, order, result)));
  }

  private static Optional<SymbolicContents> transposed(
      OperatorCall call, List<Long> order, SymbolicValue result) {
    Optional<int[]> shape = call.shape(0).constants();
    if (shape.isEmpty()) {
      return Optional.empty();
    }
    int[] strides = MovedElements.strides(shape.get());
    return MovedElements.of(
        call.input(0),
        result.shape().orElseThrow(),
        at -> {
          int index = 0;
          for (int i = 0; i < at.length; i++) {
            index += at[i] * strides[call.axis(order.get(i), at.length)];
          }
          return index;
        });
  }

  private static List<SymbolicValue> concat(OperatorCall call) {
    SymbolicShape shape = call.shape(0);
    int axis = call.axis(call.integer("axis", 1), shape.rank());
    SizeExpression length = SizeExpression.of(0);
    Optional<List<Quantity>> elements = Optional.of(new ArrayList<>());
    for (int i = 0; i < call.inputCount(); i++) {
      SymbolicShape part = call.shape(i);
      if (part.rank() != shape.rank()) {
        throw call.unknown();
      }
      length = length.plus(part.at(axis));
      shape = moreKnown(call, shape, part, axis);
      Optional<List<Quantity>> listed = call.listed(i);
      elements =
          elements.flatMap(all ->
              listed.map(more -> {
                all.addAll(more);
                return all;
              }));
    }
    SymbolicValue result = SymbolicValue.of(call.code(0), shape.with(axis, length));
    return List.of(
        axis == 0 ? result.withContents(elements.map(SymbolicContents.Listed::new)) : result);
  }

  /** {@return a shape, with the dimensions of an equal shape where its own are not known} */
  private static SymbolicShape moreKnown(
      OperatorCall call, SymbolicShape shape, SymbolicShape equal, int except) {
    SymbolicShape known = shape;
    for (int axis = 0; axis < shape.rank(); axis++) {
      if (axis != except) {
        known = known.with(axis, call.sameSize(shape.at(axis), equal.at(axis)));
      }
    }
    return known;
  }

  private static List<SymbolicValue> expand(OperatorCall call) {
    Optional<List<Quantity>> target = call.listed(1);
    SymbolicShape input = call.shape(0);
    if (target.isEmpty()) {
      int rank = rankOf(call, 1);
      return OperatorCall.result(call.code(0), call.unknownShape(Math.max(rank, input.rank())));
    }
    SymbolicShape shape = Broadcasting.of(call, input, sizes(call, target.get()));
    return List.of(
        SymbolicValue.of(call.code(0), shape)
            .withContents(
                call.input(0)
                    .listed()
                    .filter(elements -> elements.size() == 1)
                    .map(elements -> new SymbolicContents.Uniform(elements.getFirst()))));
  }

  /** {@return the length of an input that is a list} */
  private static int rankOf(OperatorCall call, int input) {
    long rank = call.shape(input).at(0).constant().orElseThrow(call::unknown);
    return Math.clamp(rank, 0, Integer.MAX_VALUE);
  }

  /** {@return the shape of sizes that an operator computes; a negative size is not known} */
  static SymbolicShape sizes(OperatorCall call, List<Quantity> sizes) {
    List<SizeExpression> dimensions = new ArrayList<>();
    for (Quantity size : sizes) {
      SizeExpression whole = size.whole().orElseThrow(call::unknown);
      dimensions.add(!call.sizing().isAtLeast(whole, 0) ? call.unknownSize() : whole);
    }
    return new SymbolicShape(dimensions);
  }

  private static List<SymbolicValue> tile(OperatorCall call) {
    SymbolicShape input = call.shape(0);
    if (call.version() < 6) {
      throw call.unknown();
    }
    Optional<List<Quantity>> repeats = call.listed(1);
    if (repeats.isEmpty()) {
      return OperatorCall.result(call.code(0), call.unknownShape(input.rank()));
    }
    SymbolicShape counts = sizes(call, repeats.get());
    if (counts.rank() != input.rank()) {
      throw call.unknown();
    }
    List<SizeExpression> dimensions = new ArrayList<>();
    for (int axis = 0; axis < input.rank(); axis++) {
      dimensions.add(input.at(axis).times(counts.at(axis)));
    }
    SymbolicValue result = SymbolicValue.of(call.code(0), new SymbolicShape(dimensions));
    return List.of(
        result.withContents(
            call.input(0)
                .listed()
                .filter(elements -> elements.size() == 1)
                .map(elements -> new SymbolicContents.Uniform(elements.getFirst()))));
  }

  private static List<SymbolicValue> pad(OperatorCall call) {
    SymbolicShape input = call.shape(0);
    Optional<List<Quantity>> amounts =
        call.integers("pads")
            .or(() -> call.integers("paddings"))
            .map(list -> list.stream().map(Quantity::of).toList())
            .or(() -> call.listed(1));
    if (amounts.isEmpty()) {
      return OperatorCall.result(call.code(0), call.unknownShape(input.rank()));
    }
    List<Long> all = IntStream.range(0, input.rank()).mapToObj(axis -> (long) axis).toList();
    List<Long> axes = call.has(3) ? call.constants(3).orElseThrow(call::unknown) : all;
    List<Quantity> pads = amounts.get();
    if (pads.size() != 2 * axes.size()) {
      throw call.unknown();
    }
    SymbolicShape shape = input;
    for (int i = 0; i < axes.size(); i++) {
      int axis = call.axis(axes.get(i), input.rank());
      Quantity padded =
          Quantity.of(input.at(axis)).plus(pads.get(i)).plus(pads.get(i + axes.size()));
      shape = shape.with(axis, padded.whole().orElseThrow(call::unknown));
    }
    return OperatorCall.result(call.code(0), shape);
  }

  private static List<SymbolicValue> crop(OperatorCall call) {
    SymbolicShape image = call.shape(0);
    List<Long> border = call.integers("border", 4, 0);
    List<Long> scale = call.integers("scale").orElse(List.of());
    if (image.rank() != 4 || (!scale.isEmpty() && scale.size() != 2)) {
      throw call.unknown();
    }
    SymbolicShape shape = image;
    for (int i = 0; i < 2; i++) {
      SizeExpression length =
          scale.isEmpty()
              ? image.at(2 + i).minus(SizeExpression.of(border.get(1 - i) + border.get(3 - i)))
              : SizeExpression.of(scale.get(i));
      shape = shape.with(2 + i, length);
    }
    return OperatorCall.result(call.code(0), shape);
  }

  private static List<SymbolicValue> cropOrPad(OperatorCall call) {
    SymbolicShape shape = call.shape(0);
    List<Long> all = IntStream.range(0, shape.rank()).mapToObj(axis -> (long) axis).toList();
    List<Long> axes = call.integers("axes").orElse(all);
    SymbolicShape sizes = sizes(call, call.listed(1).orElseThrow(call::unknown));
    for (int i = 0; i < axes.size(); i++) {
      shape = shape.with(call.axis(axes.get(i), shape.rank()), sizes.at(i));
    }
    return OperatorCall.result(call.code(0), shape);
  }

  private static List<SymbolicValue> depthToSpace(OperatorCall call) {
    SizeExpression block = SizeExpression.of(blockSize(call));
    SymbolicShape input = call.shape(0);
    SizeExpression area = block.times(block);
    return OperatorCall.result(
        call.code(0),
        SymbolicShape.of(
            input.at(0),
            input.at(1).floorDivide(area),
            input.at(2).times(block),
            input.at(3).times(block)));
  }

  private static List<SymbolicValue> spaceToDepth(OperatorCall call) {
    SizeExpression block = SizeExpression.of(blockSize(call));
    SymbolicShape input = call.shape(0);
    return OperatorCall.result(
        call.code(0),
        SymbolicShape.of(
            input.at(0),
            input.at(1).times(block).times(block),
            input.at(2).floorDivide(block),
            input.at(3).floorDivide(block)));
  }

  private static long blockSize(OperatorCall call) {
    long block = call.integer("blocksize", 0);
    if (block <= 0 || call.shape(0).rank() != 4) {
      throw call.unknown();
    }
    return block;
  }
}
