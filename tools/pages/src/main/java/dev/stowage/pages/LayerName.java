package dev.stowage.pages;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.label.TaskLabel;
import dev.stowage.plan.TensorUses;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The layers in the name of a tensor or an operator.
 *
 * <p>A name such as {@code model/block_3/conv/Relu} lies in the layers {@code model}, {@code
 * model/block_3} and {@code model/block_3/conv}. These characters separate layers:
 *
 * <ul>
 *   <li>{@code /}, {@code .} and {@code ::}
 *   <li>{@code _} after a digit: {@code block_3_expand} lies in {@code block_3}
 * </ul>
 *
 * <p>Converters that fuse operators join their names by {@code ;}. The first of these names that
 * lies in a layer counts. The number of an output or of a version of a value at the end of a name
 * ({@code :0}, {@code .17}) and the prefix {@code onnx::} of values without a name are left out.
 */
final class LayerName {

  /** The largest number of layers of a name. */
  static final int MAX_LAYERS = 12;

  private static final String UNNAMED = "onnx::";

  private LayerName() {}

  /**
   * {@return the name of the operator that computes the tensor of a record, or the name of the
   * tensor if no operator does, or if the name of the operator is in no layer}
   */
  static String of(RecordLabel label, List<TaskLabel> tasks) {
    OptionalInt producer = label.uses().map(TensorUses::producer).orElse(OptionalInt.empty());
    if (producer.isPresent() && producer.getAsInt() < tasks.size()) {
      String operator = tasks.get(producer.getAsInt()).name();
      if (isInLayer(operator)) {
        return operator;
      }
    }
    return label.name();
  }

  private static boolean isInLayer(String name) {
    return nextSeparator(cleaned(name), 0) >= 0;
  }

  /**
   * {@return the part of a name that shows its layers: without fused names, numbers of outputs and
   * versions of values}
   */
  static String cleaned(String name) {
    String first = "";
    for (int start = 0; start <= name.length(); ) {
      int end = name.indexOf(';', start);
      end = end < 0 ? name.length() : end;
      String part = withoutNumber(name.substring(start, end));
      if (nextSeparator(part, 0) >= 0) {
        return part;
      }
      first = first.isEmpty() ? part : first;
      start = end + 1;
    }
    return first;
  }

  private static String withoutNumber(String name) {
    int end = name.length();
    while (end > 0 && isDigit(name.charAt(end - 1))) {
      end--;
    }
    boolean isNumbered =
        1 < end
            && end < name.length()
            && (name.charAt(end - 1) == ':' || name.charAt(end - 1) == '.');
    int start = name.startsWith(UNNAMED) ? UNNAMED.length() : 0;
    return name.substring(start, isNumbered ? Math.max(start, end - 1) : name.length());
  }

  /**
   * {@return the parts of a name whose concatenations are its layers, from the outermost one; none
   * if it is in no layer}
   *
   * @param cleaned a {@linkplain #cleaned cleaned} name
   */
  static List<String> segments(String cleaned) {
    List<String> segments = new ArrayList<>();
    int start = 0;
    int end = nextSeparator(cleaned, 0);
    while (end >= 0 && segments.size() < MAX_LAYERS) {
      segments.add(cleaned.substring(start, end));
      start = end;
      end = nextSeparator(cleaned, end);
    }
    return segments;
  }

  /** {@return the next separator after the start or after a separator; -1 if there is none} */
  private static int nextSeparator(String name, int after) {
    int first = after + (name.startsWith("::", after) ? 2 : 1);
    for (int i = first; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '/'
          || c == '.'
          || (c == '_' && isDigit(name.charAt(i - 1)))
          || (c == ':' && name.startsWith("::", i))) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isDigit(char c) {
    return '0' <= c && c <= '9';
  }
}
