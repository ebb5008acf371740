package dev.stowage.litert;

/** Thrown if the library of TensorFlow Lite is missing, or if it cannot be loaded. */
public final class MissingLibraryException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  private final boolean isArtifactMissing;

  private MissingLibraryException(String message, boolean isArtifactMissing) {
    super(message);
    this.isArtifactMissing = isArtifactMissing;
  }

  static MissingLibraryException artifact() {
    return new MissingLibraryException(
        "TensorFlow Lite is missing; add org.bytedeco:tensorflow-lite with the classifier linux-x86_64 to the class path or module path",
        true);
  }

  static MissingLibraryException platform(String supported, String platform) {
    return new MissingLibraryException(
        "TensorFlow Lite runs models in planned memory on "
            + supported
            + " only, and this machine is "
            + platform
            + "; run the command on such a machine or in a container for it",
        false);
  }

  static MissingLibraryException unloadable(String reason) {
    return new MissingLibraryException(
        "TensorFlow Lite cannot be loaded: "
            + reason
            + "; it needs libstdc++ and a temporary folder that permits execution (set with JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=FOLDER)",
        false);
  }

  /** {@return true if the artifact is missing, so that its jar is the remedy} */
  public boolean isArtifactMissing() {
    return isArtifactMissing;
  }
}
