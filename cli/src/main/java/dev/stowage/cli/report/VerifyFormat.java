package dev.stowage.cli.report;

import dev.stowage.cli.verify.VerifyResult;
import java.io.IOException;
import java.io.Writer;

/** A way to print what came of running a model in planned memory. */
public sealed interface VerifyFormat permits VerifyTable, VerifyJson {

  /**
   * Prints a result.
   *
   * @param result what to print
   * @param out where to
   * @throws IOException if that cannot be written
   */
  void print(VerifyResult result, Writer out) throws IOException;

  /** {@return a table for people} */
  static VerifyFormat table() {
    return new VerifyTable();
  }

  /** {@return a line of JSON} */
  static VerifyFormat json() {
    return new VerifyJson();
  }
}
