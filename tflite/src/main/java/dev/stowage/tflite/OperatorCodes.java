package dev.stowage.tflite;

import dev.stowage.core.MalformedFileException;
import org.tensorflow.lite.schema.Model;
import org.tensorflow.lite.schema.OperatorCode;

/** The kinds of operators of a model. Plans depend on them only if operators work in place. */
final class OperatorCodes {

  private static final int UNKNOWN = -1;

  private final int[] builtinCodes;

  private OperatorCodes(int[] builtinCodes) {
    this.builtinCodes = builtinCodes;
  }

  /**
   * {@return the kinds}
   *
   * <p>They are often at the end, so that they reveal truncated files.
   */
  static OperatorCodes of(ModelFile file, Model model) throws MalformedFileException {
    int count =
        file.length(
            "operator codes", model.operatorCodesLength(), Integer.BYTES, model::operatorCodes);
    int[] builtinCodes = new int[count];
    OperatorCode code = new OperatorCode();
    for (int i = 0; i < count; i++) {
      file.enter("operator code", i);
      file.payTable();
      model.operatorCodes(code, i);
      String _ = file.name(code.customCodeAsByteBuffer());
      // Checks that the table is complete.
      int _ = code.version();
      // Older files have codes up to 127 in the other field.
      builtinCodes[i] = Math.max(code.builtinCode(), code.deprecatedBuiltinCode());
    }
    return new OperatorCodes(builtinCodes);
  }

  /** {@return the code of a kind in the schema; -1 if the file does not have the kind} */
  int builtinCode(long index) {
    return 0 <= index && index < builtinCodes.length ? builtinCodes[(int) index] : UNKNOWN;
  }
}
