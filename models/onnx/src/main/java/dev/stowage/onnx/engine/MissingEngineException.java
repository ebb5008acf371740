package dev.stowage.onnx.engine;

/** Thrown if the artifact of ONNX Runtime is missing, or if its library cannot be loaded. */
public final class MissingEngineException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  private final boolean isArtifactMissing;

  /**
   * Creates an exception.
   *
   * @param cause the failure to load ONNX Runtime
   */
  public MissingEngineException(LinkageError cause) {
    super(sentence(cause), cause);
    isArtifactMissing = isOfArtifact(root(cause));
  }

  /**
   * {@return a sentence that names the missing part and, if known, the remedy}
   *
   * @param error the failure to load ONNX Runtime
   */
  public static String sentence(LinkageError error) {
    Throwable root = root(error);
    if (isOfArtifact(root)) {
      return "ONNX Runtime is missing; add com.microsoft.onnxruntime:onnxruntime to the class path or module path";
    }
    return "ONNX Runtime cannot be loaded: "
        + root
        + (root instanceof UnsatisfiedLinkError
            ? "; it needs libstdc++ and a temporary folder that permits execution (set with JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=FOLDER)"
            : "");
  }

  private static Throwable root(Throwable error) {
    Throwable root = error;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  private static boolean isOfArtifact(Throwable root) {
    return root instanceof ClassNotFoundException
        || String.valueOf(root.getMessage()).startsWith("ai/onnxruntime/");
  }

  /** {@return true if the artifact is missing, so that its jar is the remedy} */
  public boolean isArtifactMissing() {
    return isArtifactMissing;
  }
}
