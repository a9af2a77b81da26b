// What a test precompiles of Boost.Test: everything but <boost/test/unit_test_suite.hpp>, which makes a main of the
// BOOST_TEST_MODULE that each test names before it includes <boost/test/unit_test.hpp>.
#ifndef TOOLWIRE_BOOST_TEST_WITHOUT_MAIN_HPP
#define TOOLWIRE_BOOST_TEST_WITHOUT_MAIN_HPP

#include <boost/test/framework.hpp>
#include <boost/test/test_tools.hpp>
#include <boost/test/tree/auto_registration.hpp>
#include <boost/test/tree/global_fixture.hpp>
#include <boost/test/tree/test_case_template.hpp>

// The configuration included above would have defined this for a BOOST_TEST_MODULE it had seen.
#ifndef BOOST_TEST_MAIN
#define BOOST_TEST_MAIN
#endif

#endif
