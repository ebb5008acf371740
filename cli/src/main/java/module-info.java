/** The command line: arguments, files, tables, reports, exit codes; it plans nothing of its own. */
@org.jspecify.annotations.NullMarked
module dev.stowage.cli {
  requires dev.stowage.core;
  requires static org.jspecify;
}
