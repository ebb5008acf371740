/** Pages in a browser, and their data, for tests. */
@NullMarked
package dev.stowage.testing.browser;

import org.jspecify.annotations.NullMarked;
