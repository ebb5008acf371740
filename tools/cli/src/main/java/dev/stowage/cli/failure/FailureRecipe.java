package dev.stowage.cli.failure;

import dev.stowage.cli.text.ShellLine;
import java.util.List;

/** The ways to record what a text lacks, and the commands that read the recordings. */
public final class FailureRecipe {

  /** The call with which a program in PyTorch starts to record. */
  public static final String START = "torch.cuda.memory._record_memory_history()";

  /** The call that writes the recording. */
  public static final String END = "torch.cuda.memory._dump_snapshot(\"snapshot.pickle\")";

  private FailureRecipe() {}

  /** {@return the lines that record the failure, also if it ends the program} */
  public static List<String> record(FailureProgram program) {
    return switch (program) {
      case PYTORCH, PYTORCH_HIP, PYTORCH_XPU, PYTORCH_MPS ->
          List.of(
              START,
              "try:",
              "    step()  # the part of the program to record",
              "finally:",
              "    " + END);
      case JAX, XLA -> List.of("TF_CPP_MIN_LOG_LEVEL=0 python train.py 2> oom.log");
      case TENSORFLOW -> List.of("python train.py 2> oom.log");
      case ONNX_RUNTIME, TFLITE_MICRO, OTHER -> List.of();
      case NETTY ->
          List.of(
              "java -XX:StartFlightRecording:filename=netty.jfr,+io.netty.AllocateBuffer#enabled=true,"
                  + "+io.netty.FreeBuffer#enabled=true,+io.netty.ReallocateBuffer#enabled=true,"
                  + "+io.netty.AllocateChunk#enabled=true,+io.netty.FreeChunk#enabled=true …");
      case RMM -> List.of("rmm.enable_logging(\"rmm.csv\")");
      case SPARK_RAPIDS -> List.of("--conf spark.rapids.memory.gpu.debug=STDOUT");
      case JAVA, CONTAINER, MACHINE ->
          List.of("stowage who PID --every 10s --for 10m --output growth.html");
    };
  }

  /**
   * {@return the command to run next}
   *
   * @param input the text as on the command line
   * @param isRecording true if commands that read recordings read the text, too
   */
  public static String next(FailureProgram program, String input, boolean isRecording) {
    if (isRecording) {
      return line("replay", input);
    }
    return switch (program) {
      case PYTORCH, PYTORCH_HIP, PYTORCH_XPU, PYTORCH_MPS -> line("replay", "snapshot.pickle");
      case JAX, XLA, TENSORFLOW -> line("replay", "oom.log");
      case ONNX_RUNTIME -> line("budget", "MODEL.onnx");
      case TFLITE_MICRO -> line("plan", "MODEL.tflite", "--runtime", "tflm");
      case NETTY -> line("tune", "netty.jfr");
      case JAVA, CONTAINER, MACHINE -> line("who", "PID");
      case RMM -> line("replay", "rmm.dev0.csv");
      case SPARK_RAPIDS -> line("replay", "rmm.csv");
      case OTHER -> line("replay", input);
    };
  }

  private static String line(String... words) {
    return ShellLine.of(List.of(words));
  }
}
