/** The command line: arguments, files, tables, reports, exit codes; it plans nothing of its own. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("requires-automatic") // the WebJar of echarts holds no module-info
module dev.stowage.cli {
  requires dev.stowage.core;
  requires echarts;
  requires tools.jackson.core;
  requires static org.jspecify;
}
