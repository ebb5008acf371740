/** The command line: arguments, files, tables, reports, exit codes; it plans nothing of its own. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("requires-automatic") // the WebJar of d3-array holds no module-info
module dev.stowage.cli {
  requires d3.array;
  requires dev.stowage.core;
  requires dev.stowage.cuda;
  requires dev.stowage.memory;
  requires dev.stowage.onnx;
  requires dev.stowage.opencl;
  requires dev.stowage.tflite;
  requires info.picocli;
  requires jdk.unsupported;
  requires me.tongfei.progressbar;
  requires org.apache.commons.csv;
  requires tools.jackson.core;
  requires static org.jspecify;

  opens dev.stowage.cli to
      info.picocli;
}
