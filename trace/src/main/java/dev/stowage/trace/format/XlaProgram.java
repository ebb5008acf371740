package dev.stowage.trace.format;

/** The program that wrote a log of a BFC allocator, as its lines show it. */
final class XlaProgram {

  /*
   * TensorFlow's lines have the folders tensorflow/... or, since 2.14, external/local_tsl/... and
   * external/local_xla/.... Lines of JAX have other folders of external/. Lines that absl writes
   * have no folder, in new versions of both programs. So a line of another file of TensorFlow
   * decides first.
   */

  private TraceProgram byFolder = TraceProgram.OTHER;
  private TraceProgram byOther = TraceProgram.OTHER;

  /** Takes note of a line of the allocator. */
  void readLine(XlaLine line) {
    if (byFolder == TraceProgram.OTHER) {
      byFolder = of(line.folder());
    }
  }

  private static TraceProgram of(String folder) {
    if (folder.startsWith("tensorflow/") || folder.contains("external/local_")) {
      return TraceProgram.TENSORFLOW;
    }
    return folder.startsWith("tsl/") ? TraceProgram.JAX_OR_TENSORFLOW : TraceProgram.JAX;
  }

  /** Takes note of a line of another file. */
  void readOther(String text) {
    if (byOther != TraceProgram.OTHER) {
      return;
    }
    if (text.contains("XLA backend ") || text.contains("/pjrt/") || text.contains(" pjrt_")) {
      byOther = TraceProgram.JAX;
    } else if (text.contains(" tensorflow/core/")) {
      byOther = TraceProgram.TENSORFLOW;
    }
  }

  /** {@return the program} */
  TraceProgram found() {
    return byOther == TraceProgram.OTHER ? byFolder : byOther;
  }
}
