/**
 * Runs of TensorFlow Lite models in planned memory, compared with TensorFlow Lite's own runs.
 *
 * <h2>For maintainers</h2>
 *
 * <p>TensorFlow Lite is a native library without protection from damaged models: a kernel that
 * writes outside of its tensors ends the process. Each {@link LiteVerification} therefore starts a
 * process of its own ({@link LiteProcess}), which runs {@code engine.EngineMain}. Only that process
 * loads the library. It runs the model as a whole and in planned memory, compares the outputs, and
 * prints the result as lines of text. If it crashes, the command reports it.
 *
 * <p>{@link LiteLibrary} finds the library in the artifact {@code org.bytedeco:tensorflow-lite}.
 * Neither the Java classes of that artifact nor JavaCPP are needed.
 */
package dev.stowage.litert;
