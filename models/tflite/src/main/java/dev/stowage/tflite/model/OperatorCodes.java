package dev.stowage.tflite.model;

import dev.stowage.plan.MalformedFileException;
import java.util.Locale;
import org.tensorflow.lite.schema.BuiltinOperator;
import org.tensorflow.lite.schema.Model;
import org.tensorflow.lite.schema.OperatorCode;

/** The kinds of operators of a model, by the index that operators refer to. */
public final class OperatorCodes {

  private static final int UNKNOWN = -1;

  private final int[] builtinCodes;
  private final String[] customCodes;

  private OperatorCodes(int count) {
    builtinCodes = new int[count];
    customCodes = new String[count];
  }

  /**
   * {@return the operator codes of a model}
   *
   * <p>They are often at the end of a file, so that reading them reveals truncated files.
   */
  static OperatorCodes of(ModelFile file, Model model) throws MalformedFileException {
    int count =
        file.length(
            "operator codes", model.operatorCodesLength(), Integer.BYTES, model::operatorCodes);
    OperatorCodes codes = new OperatorCodes(count);
    OperatorCode code = new OperatorCode();
    for (int i = 0; i < count; i++) {
      file.enter("operator code", i);
      file.payTable();
      model.operatorCodes(code, i);
      codes.customCodes[i] = file.name(code.customCodeAsByteBuffer());
      // Checks that the table is complete.
      int _ = code.version();
      // Codes up to 127 are in the older field, in older files only there.
      codes.builtinCodes[i] = Math.max(code.builtinCode(), code.deprecatedBuiltinCode());
    }
    return codes;
  }

  /** {@return the code of a kind in the schema; -1 if the file does not have the kind} */
  public int builtinCode(long index) {
    return 0 <= index && index < builtinCodes.length ? builtinCodes[(int) index] : UNKNOWN;
  }

  /** {@return the name of a kind; {@code UNKNOWN} if the file does not have the kind} */
  public String name(long index) {
    return 0 <= index && index < builtinCodes.length
        ? name(builtinCodes[(int) index], customCodes[(int) index])
        : "UNKNOWN";
  }

  /**
   * {@return the kind of an operator}
   *
   * @param index the index of its code, unsigned
   */
  OperatorKind kind(ModelFile file, long index) throws MalformedFileException {
    if (index >= builtinCodes.length) {
      throw file.malformed(
          String.format(
              Locale.ROOT,
              "has operator code %d, expected 0 or more and less than %d, the number of operator codes",
              index,
              builtinCodes.length));
    }
    int code = builtinCodes[(int) index];
    return new OperatorKind(code, name(code, customCodes[(int) index]));
  }

  private static String name(int code, String customCode) {
    if (code == BuiltinOperator.CUSTOM && !customCode.isEmpty()) {
      return customCode;
    }
    return code >= 0 && code < BuiltinOperator.names.length
        ? BuiltinOperator.name(code)
        : "BUILTIN_" + code;
  }
}
