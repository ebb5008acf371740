/** The command line of all tools: values of options, and exit codes. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // that of the command line is compiled later
module dev.stowage.console {
  requires info.picocli;
  requires static org.jspecify;

  exports dev.stowage.console to
      dev.stowage.cli,
      info.picocli;
}
