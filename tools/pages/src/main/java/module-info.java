/** Pages in HTML and drawings in SVG: data in, one file out. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // the command line is compiled later
module dev.stowage.pages {
  requires transitive dev.stowage.plan;
  requires transitive dev.stowage.trace;
  requires tools.jackson.core;
  requires tools.jackson.databind;
  requires static org.jspecify;

  exports dev.stowage.pages to
      dev.stowage.cli;
  exports dev.stowage.pages.history to
      dev.stowage.cli;
  exports dev.stowage.pages.label to
      dev.stowage.cli;
  exports dev.stowage.pages.text to
      dev.stowage.cli;
}
