package dev.stowage.tflite;

import dev.stowage.core.MalformedFileException;
import org.tensorflow.lite.schema.Model;
import org.tensorflow.lite.schema.OperatorCode;

/** The kinds of operators of a model. Plans do not depend on them. */
final class OperatorCodes {

  private OperatorCodes() {}

  /**
   * Checks that they are in the file. They are often at the end, so that they reveal truncated
   * files.
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
      // Checks that the table is complete.
      int _ = code.builtinCode() + code.deprecatedBuiltinCode() + code.version();
    }
  }
}
