/** What every room shares: the error of a file that cannot be read. */
package dev.stowage.core;
