/** The command line: arguments, files, tables, reports, exit codes; it plans nothing of its own. */
@org.jspecify.annotations.NullMarked
module dev.stowage.cli {
  requires dev.stowage.allocator;
  requires dev.stowage.budget;
  requires dev.stowage.cuda;
  requires dev.stowage.memory;
  requires dev.stowage.onnx;
  requires dev.stowage.opencl;
  requires dev.stowage.pages;
  requires dev.stowage.plan;
  requires dev.stowage.process;
  requires dev.stowage.tflite;
  requires dev.stowage.trace;
  requires info.picocli;
  requires jdk.jfr;
  requires jdk.unsupported;
  requires me.tongfei.progressbar;
  requires tools.jackson.core;
  requires tools.jackson.databind;
  requires tools.jackson.dataformat.csv;
  requires com.fasterxml.jackson.annotation;
  requires static io.netty.buffer;
  requires static io.netty.common;
  requires static org.jspecify;

  opens dev.stowage.cli to
      info.picocli;
  opens dev.stowage.cli.gate to
      tools.jackson.databind;
  opens dev.stowage.cli.input to
      tools.jackson.databind;
  opens dev.stowage.cli.command to
      info.picocli;
  opens dev.stowage.cli.console to
      info.picocli;
  opens dev.stowage.cli.option to
      info.picocli;
  opens dev.stowage.cli.run to
      info.picocli;
}
