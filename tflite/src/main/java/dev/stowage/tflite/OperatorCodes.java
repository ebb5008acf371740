package dev.stowage.tflite;

import dev.stowage.core.MalformedFileException;
import org.tensorflow.lite.schema.Model;
import org.tensorflow.lite.schema.OperatorCode;

/** The kinds of operators that a model has. A plan does not depend on them. */
final class OperatorCodes {

  private OperatorCodes() {}

  /**
   * Checks that they are there: they often lie last in a file, and show that its end is missing.
   */
  static void check(ModelFile file, Model model) throws MalformedFileException {
    int count =
        file.length(
            "operator codes", model.operatorCodesLength(), Integer.BYTES, model::operatorCodes);
    OperatorCode code = new OperatorCode();
    for (int i = 0; i < count; i++) {
      file.enter("operator code", i);
      file.payTable();
      model.operatorCodes(code, i);
      String _ = file.name(code.customCodeAsByteBuffer());
      // Read only to see that the table is whole.
      int _ = code.builtinCode() + code.deprecatedBuiltinCode() + code.version();
    }
  }
}
