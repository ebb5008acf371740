package dev.stowage.onnx.symbolic;

import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.List;

/** The numbers of places of a window that moves over the axes of an image. */
final class WindowLengths {

  private final OperatorCall call;
  private final List<SizeExpression> image;
  private final List<SizeExpression> window;
  private final List<Long> strides;
  private final List<Long> dilations;
  private final List<Long> pads;

  /**
   * Creates the window of a convolution or pooling operator.
   *
   * @param call the operator
   * @param image the axes of the image over which the window moves
   * @param window the length of the window for each of them
   */
  WindowLengths(OperatorCall call, List<SizeExpression> image, List<SizeExpression> window) {
    this.call = call;
    this.image = image;
    this.window = window;
    if (window.size() != image.size()) {
      throw call.unknown();
    }
    this.strides = positive(call.integers("strides", image.size(), 1));
    this.dilations = positive(call.integers("dilations", image.size(), 1));
    this.pads = call.integers("pads", 2 * image.size(), 0);
  }

  private List<Long> positive(List<Long> numbers) {
    if (numbers.stream().anyMatch(number -> number <= 0)) {
      throw call.unknown();
    }
    return numbers;
  }

  /** {@return the lengths of a result with one element for each place} */
  List<SizeExpression> places() {
    List<SizeExpression> places = new ArrayList<>();
    for (int i = 0; i < image.size(); i++) {
      places.add(places(i));
    }
    return places;
  }

  private SizeExpression places(int i) {
    long stride = strides.get(i);
    SizeExpression length = image.get(i);
    SizeExpression reach = reach(i);
    return switch (call.text("auto_pad", "NOTSET")) {
      case "SAME_UPPER", "SAME_LOWER" -> length.ceilDivide(stride);
      case "VALID" -> steps(length.minus(reach), stride).plus(1);
      default -> padded(i, reach);
    };
  }

  private SizeExpression padded(int i, SizeExpression reach) {
    long stride = strides.get(i);
    SizeExpression free = image.get(i).plus(Math.addExact(start(i), end(i))).minus(reach);
    return steps(free, stride).plus(1);
  }

  private SizeExpression steps(SizeExpression distance, long stride) {
    return call.flag("ceil_mode") ? distance.ceilDivide(stride) : distance.floorDivide(stride);
  }

  private long start(int i) {
    return pads.get(i);
  }

  private long end(int i) {
    return pads.get(i + image.size());
  }

  /** {@return the length of the window with its dilation} */
  private SizeExpression reach(int i) {
    return window.get(i).plus(-1).times(dilations.get(i)).plus(1);
  }

  /** {@return the lengths of a result from which a convolution with this window makes the image} */
  List<SizeExpression> transposed() {
    List<Long> extra = call.integers("output_padding", image.size(), 0);
    List<Long> given = call.integers("output_shape").orElse(List.of());
    List<SizeExpression> lengths = new ArrayList<>();
    for (int i = 0; i < image.size(); i++) {
      long stride = strides.get(i);
      int fromEnd = given.size() - image.size() + i; // some files have the first two axes, too
      if (!given.isEmpty()) {
        if (fromEnd < 0) {
          throw call.unknown();
        }
        lengths.add(SizeExpression.of(given.get(fromEnd)));
        continue;
      }
      SizeExpression full = image.get(i).plus(-1).times(stride).plus(reach(i)).plus(extra.get(i));
      lengths.add(
          switch (call.text("auto_pad", "NOTSET")) {
            case "SAME_UPPER", "SAME_LOWER" -> image.get(i).times(stride);
            case "VALID" -> full;
            default -> full.plus(Math.negateExact(Math.addExact(start(i), end(i))));
          });
    }
    return lengths;
  }
}
