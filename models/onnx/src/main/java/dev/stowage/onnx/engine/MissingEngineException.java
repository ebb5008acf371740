package dev.stowage.onnx.engine;

/** Thrown if the artifact of ONNX Runtime is missing, or if its library cannot be loaded. */
public final class MissingEngineException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param cause the failure to load ONNX Runtime
   */
  public MissingEngineException(LinkageError cause) {
    super(sentence(cause), cause);
  }

  /**
   * {@return a sentence that names the missing part and, if known, the remedy}
   *
   * @param error the failure to load ONNX Runtime
   */
  public static String sentence(LinkageError error) {
    Throwable root = error;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String message = String.valueOf(root.getMessage());
    boolean isArtifact =
        root instanceof ClassNotFoundException || message.startsWith("ai/onnxruntime/");
    if (isArtifact) {
      return "ONNX Runtime is missing; add com.microsoft.onnxruntime:onnxruntime to the class path or module path";
    }
    return "ONNX Runtime cannot be loaded: "
        + root
        + (root instanceof UnsatisfiedLinkError
            ? "; it needs libstdc++ and a temporary folder that permits execution (set with JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=FOLDER)"
            : "");
  }
}
